import type { CallOptions } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import type { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Random } from "../../../services/demo/random.ts";
import type { EntitiesDatabase } from "../../../services/entities/schema/schema.ts";
import { uuidFromBytes } from "../../../services/shared/encoding/uuid.ts";
import { ACTOR_HEADER } from "../../../services/shared/rpc/identity/actor.ts";
import { ENTITIES_AUDIENCE } from "../../../services/shared/rpc/identity/audiences.ts";
import type { EntitiesClients } from "../../support/entities-clients.ts";
import { persist } from "./persist.ts";
import type { Task } from "./run-until-done.ts";
import { SETTLED } from "./shown-everywhere.ts";
import type { WebSignIns } from "./web-sign-in.ts";
import type { WholeDeployment } from "./whole-deployment.ts";

const SESSION_COOKIE = "tidemark-session";
const MOST_ORGANIZATIONS = 3;
/** One in this many owners deletes the account. */
const OWNERS_PER_LEAVER = 3;
const PEER = { address: "192.0.2.1" };
/** Longer than a paused process stays so; what was sent to one that was killed is sent again. */
const CALL_TIMEOUT_MS = 5_000;

type Deployment = Pick<WholeDeployment, "auths" | "entities">;
type Send<Result> = (clients: EntitiesClients, options: CallOptions) => Promise<Result>;

/** People who create entities, each of them a person's twice at once, by any of the services. Some delete their account then. */
export class EntityOwners {
  /** UUIDs of the entities whose creation was acknowledged, and of those whose account was deleted afterwards. */
  readonly acknowledged = new Set<string>();
  readonly deleted = new Set<string>();
  /** The number of owners who are done, and of calls that were sent again. */
  #owners = 0;
  #repeated = 0;
  readonly #deployment: Deployment;
  readonly #signIns: WebSignIns;
  readonly #random: Random;

  constructor(deployment: Deployment, signIns: WebSignIns, random: Random) {
    this.#deployment = deployment;
    this.#signIns = signIns;
    this.#random = random;
  }

  get summary(): string {
    return `${this.acknowledged.size} entities of ${this.#owners} people, ${this.deleted.size} deleted with their account (${this.#repeated} calls sent again)`;
  }

  /** Lets new people create entities, one after another. */
  readonly newcomers: Task = async (over) => {
    while (!over.aborted) await this.createAll();
  };

  /** Lets a new person create entities, and checks what is then listed. */
  async createAll(): Promise<void> {
    const owner = await this.#signIns.signIn();
    const twins = await Promise.all([this.#create(owner, EntityType.PERSON), this.#create(owner, EntityType.PERSON)]);
    const own = twins.filter((uuid) => uuid !== undefined);
    if (own.length > 1) throw new Error("an account has two person entities");
    const organizations = this.#random.integer(0, MOST_ORGANIZATIONS);
    for (let i = 0; i < organizations; i += 1) {
      const uuid = await this.#create(owner, EntityType.ORGANIZATION);
      if (uuid !== undefined) own.push(uuid);
    }
    await this.#expectListed(owner, own);
    const leaves = this.#random.integer(1, OWNERS_PER_LEAVER) === 1;
    if (leaves) await this.#deleteAccount(owner);
    for (const uuid of own) (leaves ? this.deleted : this.acknowledged).add(uuid);
    this.#owners += 1;
  }

  /** Creates an entity. @returns its UUID; undefined if there is a person entity already, perhaps by a lost answer */
  async #create(owner: PageBrowser, type: EntityType): Promise<string | undefined> {
    try {
      const request = { type, label: "Somebody" };
      const { entity } = await this.#call(owner, ({ entities }, options) => entities.createEntity(request, options));
      return entity?.uuid;
    } catch (error) {
      if (type === EntityType.PERSON && ConnectError.from(error).code === Code.AlreadyExists) return undefined;
      throw error;
    }
  }

  async #expectListed(owner: PageBrowser, own: readonly string[]): Promise<void> {
    const { entities } = await this.#call(owner, (clients, options) => clients.entities.listEntities({}, options));
    expect(entities.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([...own]));
    expect(entities.filter(({ type }) => type === EntityType.PERSON)).toHaveLength(1);
  }

  /** Deletes the account at auth, which has its entities deleted afterwards. */
  async #deleteAccount(owner: PageBrowser): Promise<void> {
    const sessionToken = owner.cookies.get(SESSION_COOKIE) ?? "";
    let sent = 0;
    await persist(async () => {
      sent += 1;
      const { accounts } = this.#random.pick(this.#deployment.auths).running.as("gateway");
      // After a lost answer there is neither session nor account.
      const isGone = (error: unknown) => sent > 1 && ConnectError.from(error).code === Code.Unauthenticated;
      await accounts.deleteAccount({ sessionToken, peer: PEER }, { timeoutMs: CALL_TIMEOUT_MS }).catch((error) => {
        if (!isGone(error)) throw error;
      });
    });
    this.#repeated += sent - 1;
  }

  /** Calls any of the services for a person until the outcome is known, each time with a new actor token. */
  async #call<Result>(owner: PageBrowser, send: Send<Result>): Promise<Result> {
    const { result, attempts } = await persist(async () => {
      const { accounts } = this.#random.pick(this.#deployment.auths).running.as("gateway");
      const sessionToken = owner.cookies.get(SESSION_COOKIE) ?? "";
      const timeoutMs = CALL_TIMEOUT_MS;
      const { actorToken } = await accounts.issueActorToken(
        { sessionToken, audience: ENTITIES_AUDIENCE },
        { timeoutMs },
      );
      const clients = this.#random.pick(this.#deployment.entities).running.as("gateway");
      return send(clients, { timeoutMs, headers: { [ACTOR_HEADER]: actorToken } });
    });
    this.#repeated += attempts - 1;
    return result;
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
