import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import type { EntitiesCaller } from "./entities-caller.ts";
import type { Task } from "./run-until-done.ts";
import { SETTLED } from "./shown-everywhere.ts";
import { sessionTokenOf, type WebSignIns } from "./web-sign-in.ts";

const MOST_ORGANIZATIONS = 3;
/** One in this many owners deletes the account. */
const OWNERS_PER_LEAVER = 3;

/** People who create entities, each of them a person's twice at once, by any of the services. Some delete their account then. */
export class EntityOwners {
  /** UUIDs of the entities whose creation was acknowledged, and of those whose account was deleted afterwards. */
  readonly acknowledged = new Set<string>();
  readonly deleted = new Set<string>();
  /** The number of owners who are done. */
  #owners = 0;
  readonly #caller: EntitiesCaller;
  readonly #signIns: WebSignIns;

  constructor(caller: EntitiesCaller, signIns: WebSignIns) {
    this.#caller = caller;
    this.#signIns = signIns;
  }

  get summary(): string {
    return `${this.acknowledged.size} entities of ${this.#owners} people, ${this.deleted.size} deleted with their account (${this.#caller.repeated} calls sent again)`;
  }

  /** Lets new people create entities, one after another. */
  readonly newcomers: Task = async (over) => {
    while (!over.aborted) await this.createAll();
  };

  /** Lets a new person create entities, and checks what is then listed. */
  async createAll(): Promise<void> {
    const { random } = this.#caller;
    const owner = sessionTokenOf(await this.#signIns.signIn());
    const twins = await Promise.all([this.#create(owner, EntityType.PERSON), this.#create(owner, EntityType.PERSON)]);
    const own = twins.filter((uuid) => uuid !== undefined);
    if (own.length > 1) throw new Error("an account has two person entities");
    const organizations = random.integer(0, MOST_ORGANIZATIONS);
    for (let i = 0; i < organizations; i += 1) {
      const uuid = await this.#create(owner, EntityType.ORGANIZATION);
      if (uuid !== undefined) own.push(uuid);
    }
    await this.#expectListed(owner, own);
    const leaves = random.integer(1, OWNERS_PER_LEAVER) === 1;
    if (leaves) await this.#caller.deleteAccount(owner);
    for (const uuid of own) (leaves ? this.deleted : this.acknowledged).add(uuid);
    this.#owners += 1;
  }

  /** Creates an entity. @returns its UUID; undefined if there is a person entity already, perhaps by a lost answer */
  async #create(owner: string, type: EntityType): Promise<string | undefined> {
    try {
      const request = { type, label: "Somebody" };
      const { entity } = await this.#caller.person(owner, ({ entities }, options) =>
        entities.createEntity(request, options),
      );
      return entity?.uuid;
    } catch (error) {
      if (type === EntityType.PERSON && ConnectError.from(error).code === Code.AlreadyExists) return undefined;
      throw error;
    }
  }

  async #expectListed(owner: string, own: readonly string[]): Promise<void> {
    const { entities } = await this.#caller.person(owner, (clients, options) =>
      clients.entities.listEntities({}, options),
    );
    expect(entities.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([...own]));
    expect(entities.filter(({ type }) => type === EntityType.PERSON)).toHaveLength(1);
  }
}

/** Expects that every acknowledged entity is stored, none of a deleted account soon, and that no account has two of a person. */
export async function expectEntitiesAgree({ query }: EntitiesDatabase, owners: EntityOwners): Promise<void> {
  const readRows = () => query.selectFrom("entity").select(["entity", "account", "type"]).execute();
  const left = async () =>
    (await readRows()).map(({ entity }) => uuidFromBytes(entity)).filter((uuid) => owners.deleted.has(uuid));
  await expect.poll(left, SETTLED).toEqual([]);
  const rows = await readRows();
  const stored = new Set(rows.map(({ entity }) => uuidFromBytes(entity)));
  expect([...owners.acknowledged].filter((uuid) => !stored.has(uuid))).toEqual([]);
  const people = rows.filter(({ type }) => type === "person").map(({ account }) => uuidFromBytes(account));
  expect(people).toHaveLength(new Set(people).size);
  const listed = await query.selectFrom("person_entity").select("account").execute();
  expect(listed.map(({ account }) => uuidFromBytes(account)).toSorted()).toEqual(people.toSorted());
}
