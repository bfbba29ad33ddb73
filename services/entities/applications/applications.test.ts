import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  EntityType,
  InvestingRegion,
  SaleEligibility,
  SetupState,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { eraseSale } from "../permits/erase-sale.ts";
import { writeRules } from "../rules/rules-store.ts";
import { hasLiveness } from "../setup/liveness-store.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { sampleRules } from "../testing/sample-rules.ts";
import { EVERY_CHAIN } from "../wallets/proof-chain.ts";
import { linkWallet } from "../wallets/wallet-links-store.ts";

let fixture: PeopleFixture;
let ann: Person;
let saleUuid: string;

beforeEach(async () => {
  fixture = await peopleFixture({ IDENTITY_PROVIDER: "demo" });
  ann = fixture.person("ann");
  saleUuid = fixture.sale();
});

const gateway = () => fixture.as("gateway");
const accessOf = (given: object = {}) => fixture.access({ person: ann, saleUuid, ...given });
const list = async (given: object = {}) =>
  (await gateway().listAvailableEntities({ saleUuid, access: accessOf(), ...given })).entities;

async function complete(entityUuid: string): Promise<void> {
  await ann.entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "DE" });
}

async function takeEveryone(sale: string): Promise<void> {
  const { database, clock } = fixture.dependencies;
  const rules = { rules: sampleRules(), expectedVersion: 0n };
  await database.write((transaction) => writeRules(transaction, sale, rules, clock()));
}

describe("an application", () => {
  it("sees a person's entities with IDs of its sale, the earliest first", async () => {
    const person = await ann.createEntity("Ann");
    fixture.time.advance(1);
    await ann.createEntity("Alpha", EntityType.ORGANIZATION);
    const entities = await list();
    expect(entities.map(({ label, type }) => [label, type])).toEqual([
      ["Ann", EntityType.PERSON],
      ["Alpha", EntityType.ORGANIZATION],
    ]);
    expect(await list()).toEqual(entities);
    expect(entities[0]?.entityUuid).not.toBe(person.uuid);
    const other = fixture.sale();
    const elsewhere = await list({ saleUuid: other, access: accessOf({ saleUuid: other }) });
    const ids = [...entities, ...elsewhere].flatMap((each) => [each.entityUuid, hexOf(each.saleSpecificEntityId)]);
    expect(new Set(ids).size).toBe(8);
  });

  it("gets state, region and eligibility", async () => {
    const { uuid } = await ann.createEntity();
    expect(await list()).toMatchObject([
      {
        setupState: SetupState.NOT_STARTED,
        region: InvestingRegion.UNKNOWN,
        eligibility: SaleEligibility.UNKNOWN_SETUP_INCOMPLETE,
      },
    ]);
    await complete(uuid);
    const known = { setupState: SetupState.COMPLETE, region: InvestingRegion.EU };
    expect(await list()).toMatchObject([{ ...known, eligibility: SaleEligibility.NOT_ELIGIBLE }]);
    await takeEveryone(saleUuid);
    expect(await list()).toMatchObject([{ ...known, eligibility: SaleEligibility.ELIGIBLE }]);
    const live = fixture.sale({ tenancy: Tenancy.LIVE });
    await takeEveryone(live);
    const elsewhere = await list({ saleUuid: live, access: accessOf({ saleUuid: live }) });
    expect(elsewhere).toMatchObject([{ eligibility: SaleEligibility.UNKNOWN_SETUP_INCOMPLETE }]);
  });

  it("doesn't see entities that are hidden from it", async () => {
    const { uuid } = await ann.createEntity();
    const clientUuid = randomUUID();
    await ann.entities.changeHiddenEntities({ clientUuid, hiddenEntityUuids: [uuid] });
    expect(await list({ access: accessOf({ clientUuid }) })).toEqual([]);
    expect(await list()).toHaveLength(1);
    expect(await gateway().getProfile({ access: accessOf({ clientUuid }) })).toMatchObject({ entityUuid: "" });
  });

  it("gets a profile, with the address only by its scope", async () => {
    expect(await gateway().getProfile({ access: accessOf() })).toMatchObject({ entityUuid: "", email: "" });
    await ann.createEntity();
    fixture.time.advance(1);
    await ann.createEntity("Alpha", EntityType.ORGANIZATION);
    const [earliest] = await list();
    const scopes = ["read_entities", "contact_email"];
    const profile = await gateway().getProfile({ access: accessOf({ scopes }) });
    expect(profile).toMatchObject({ entityUuid: earliest?.entityUuid, email: "ann@example.com" });
  });

  it("reads one entity by its ID, by its wallet, or the only one", async () => {
    const { uuid } = await ann.createEntity();
    const wallet = { kind: "evm", bytes: Buffer.alloc(20, 7) } as const;
    await fixture.dependencies.database.write((transaction) =>
      linkWallet(transaction, { entityUuid: uuid, wallet }, EVERY_CHAIN, 0n),
    );
    const read = (given: object) => gateway().readAvailableEntity({ saleUuid, access: accessOf(), ...given });
    const [only] = await list();
    expect((await read({})).entity).toEqual(only);
    const address = "0x0707070707070707070707070707070707070707";
    expect((await read({ wallet: address })).entity).toEqual(only);
    const refused = [
      { wallet: `0x${"1".repeat(40)}` },
      { wallet: "nonsense" },
      { entityUuid: randomUUID() },
      { entityUuid: "7" },
    ];
    expect(await Promise.all(refused.map((given) => codeOf(read(given))))).toEqual(refused.map(() => "not_found"));
    await ann.createEntity("Alpha", EntityType.ORGANIZATION);
    expect(await codeOf(read({}))).toBe("invalid_argument");
    expect((await read({ entityUuid: only?.entityUuid })).entity).toEqual(only);
  });

  it("reads what the visible entities have committed, once the sale is settled", async () => {
    const { uuid } = await ann.createEntity();
    const [listed] = await list();
    fixture.records.push(record(required(listed).saleSpecificEntityId, 1_700_000_000n));
    expect((await gateway().listInvestments({ access: accessOf() })).investments).toEqual([]);
    const sale = required(fixture.sales.get(saleUuid));
    fixture.sales.set(saleUuid, { ...sale, status: SaleStatus.SETTLED });
    const { investments } = await gateway().listInvestments({ access: accessOf() });
    expect(investments).toMatchObject([{ saleName: "Harbour", committedAt: timestampFromMs(1_700_000_000_000) }]);
    const clientUuid = randomUUID();
    await ann.entities.changeHiddenEntities({ clientUuid, hiddenEntityUuids: [uuid] });
    expect((await gateway().listInvestments({ access: accessOf({ clientUuid }) })).investments).toEqual([]);
  });
});

describe("an attack with IDs of others", () => {
  it("by a token of another sale is refused, whatever it asks for", async () => {
    await ann.createEntity();
    const [own] = await list();
    const access = accessOf({ saleUuid: fixture.sale() });
    const entityUuid = required(own).entityUuid;
    const calls = [
      gateway().listAvailableEntities({ saleUuid, access }),
      gateway().readAvailableEntity({ saleUuid, access, entityUuid }),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(["permission_denied", "permission_denied"]);
  });

  it("by an ID of another sale, of another account or of the inside finds nothing", async () => {
    const { uuid } = await ann.createEntity();
    const bob = fixture.person("bob");
    await bob.createEntity();
    const other = fixture.sale();
    const [elsewhere] = await list({ saleUuid: other, access: accessOf({ saleUuid: other }) });
    const [bobs] = await list({ access: accessOf({ person: bob }) });
    const stolen = [uuid, required(elsewhere).entityUuid, required(bobs).entityUuid];
    const read = (entityUuid: string) => gateway().readAvailableEntity({ saleUuid, access: accessOf(), entityUuid });
    expect(await Promise.all(stolen.map((entityUuid) => codeOf(read(entityUuid))))).toEqual(
      stolen.map(() => "not_found"),
    );
  });

  it("without a valid token, or without the scope, is refused", async () => {
    const calls = (access: object) => [
      gateway().getProfile({ access }),
      gateway().listAvailableEntities({ saleUuid, access }),
      gateway().readAvailableEntity({ saleUuid, access }),
      gateway().listInvestments({ access }),
    ];
    const codes = (access: object) => Promise.all(calls(access).map(codeOf));
    expect(new Set(await codes({ accessToken: "unknown" }))).toEqual(new Set(["unauthenticated"]));
    expect(new Set(await codes(accessOf({ scopes: ["contact_email"] })))).toEqual(new Set(["permission_denied"]));
  });

  it("with a proof of presence for somebody else's entity finds nothing", async () => {
    await ann.createEntity();
    const [listed] = await list();
    const { entityUuid } = required(listed);
    const bob = fixture.person("bob");
    expect(await codeOf(bob.entities.confirmLiveness({ saleUuid, entityUuid }))).toBe("not_found");
    expect(await codeOf(ann.entities.confirmLiveness({ saleUuid: fixture.sale(), entityUuid }))).toBe("not_found");
    const earlier = fixture.person("ann", 600_001);
    expect(await codeOf(earlier.entities.confirmLiveness({ saleUuid, entityUuid }))).toBe("failed_precondition");
    expect(await codeOf(ann.entities.confirmLiveness({ saleUuid, entityUuid }))).toBeUndefined();
  });

  it("with a proof of presence for a sale that was erased is refused", async () => {
    const { uuid } = await ann.createEntity();
    const [listed] = await list();
    const { entityUuid } = required(listed);
    await eraseSale(fixture.dependencies, saleUuid);
    expect(await codeOf(ann.entities.confirmLiveness({ saleUuid, entityUuid }))).toBe("failed_precondition");
    const { database } = fixture.dependencies;
    expect(await database.read((query) => hasLiveness(query, saleUuid, uuid))).toBe(false);
  });
});

function record(entityId: Uint8Array, createdAtSeconds: bigint) {
  const commitmentId = new Uint8Array(32);
  commitmentId.set(entityId);
  const amounts = [{ wallet: "0x", token: "0x", amount: "5" }];
  return create(CommitmentRecordSchema, {
    commitmentId,
    entityId: Uint8Array.from(entityId),
    createdAtSeconds,
    amounts,
  });
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
