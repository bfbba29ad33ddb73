import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { beforeEach, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { findSaleEntityOf } from "../entities/sale-entities-store.ts";
import { codeOf, type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { linkWallet } from "../wallets/wallet-links-store.ts";
import { reopenAccounts } from "./reopen-accounts.ts";

const running = new AbortController().signal;
const TWO_MINUTES_MS = 120_000;
const CHAIN_ID = 8_453n;
const WALLET = Buffer.alloc(20, 7);

let fixture: PeopleFixture;
let ann: Person;

beforeEach(async () => {
  fixture = await peopleFixture();
  ann = fixture.person("ann");
});

const close = () => fixture.as("auth").closeAccount({ accountUuid: ann.accountUuid });
const erase = () => fixture.as("auth").eraseAccount({ accountUuid: ann.accountUuid });
const reopen = () => reopenAccounts(fixture.dependencies, running);

type Decision =
  | { readonly case: "approval"; readonly value: { readonly reference: string; readonly country: string } }
  | { readonly case: "refusal"; readonly value: { readonly reason: string } };

/** Makes an entity with IDs in a sale, a linked wallet that a permit has bound, and that permit. */
async function takePart() {
  const saleUuid = fixture.sale();
  const { uuid } = await ann.createEntity();
  const access = fixture.access({ person: ann, saleUuid });
  const listed = await fixture.as("gateway").listAvailableEntities({ saleUuid, access });
  const [sale, entity] = [bytesOfHex(saleUuid), bytesOfHex(uuid)];
  const nowMs = fixture.time.now();
  const wallet = { kind: "evm", wallet: WALLET } as const;
  const permit = randomUUID();
  const client = randomUUID();
  const amounts = { min_amount: "0", max_amount: "1", min_price: 0n, max_price: 1n, forced_lockup: 0 };
  await fixture.dependencies.database.write(async (transaction) => {
    const linked = { entityUuid: uuid, wallet: { kind: "evm", bytes: WALLET } } as const;
    await linkWallet(transaction, linked, CHAIN_ID, nowMs);
    const bound = { sale, entity, ...wallet, bound_at_ms: nowMs, permit_expires_at_ms: nowMs };
    await transaction
      .insertInto("sale_wallet")
      .values({ ...bound, proved_at_ms: nowMs })
      .execute();
    const ids = {
      permit: bytesOfHex(permit),
      permit_key: bytesOfHex(randomUUID()),
      member_group: bytesOfHex(randomUUID()),
    };
    const times = { issued_at_ms: nowMs, expires_at_ms: nowMs + 600_000n };
    const specific = Buffer.from(required(listed.entities[0]).saleSpecificEntityId);
    const row = {
      ...ids,
      sale,
      entity,
      sale_specific_id: specific,
      client: bytesOfHex(client),
      ...wallet,
      ...amounts,
      ...times,
    };
    await transaction.insertInto("permit").values(row).execute();
  });
  return { saleUuid, uuid, client, listed: required(listed.entities[0]) };
}

it("closes an account for new entities, and opens it again if auth still has it after two minutes", async () => {
  await close();
  expect(await codeOf(ann.createEntity())).toBe("failed_precondition");
  fixture.time.advance(TWO_MINUTES_MS - 1);
  await reopen();
  expect(await codeOf(ann.createEntity())).toBe("failed_precondition");
  fixture.time.advance(1);
  await reopen();
  expect(await codeOf(ann.createEntity())).toBeUndefined();
});

it("keeps an account closed that auth has deleted", async () => {
  await close();
  fixture.emails.delete(ann.accountUuid);
  fixture.time.advance(TWO_MINUTES_MS);
  await reopen();
  expect(await codeOf(ann.createEntity())).toBe("failed_precondition");
});

it("counts the two minutes from the last closing", async () => {
  await close();
  fixture.time.advance(TWO_MINUTES_MS);
  await close();
  await reopen();
  expect(await codeOf(ann.createEntity())).toBe("failed_precondition");
});

it("erases everything personal, and keeps what a permit has bound, as often as it is asked", async () => {
  const { saleUuid, uuid } = await takePart();
  await ann.entities.changeHiddenEntities({ clientUuid: randomUUID(), hiddenEntityUuids: [uuid] });
  await ann.entities.beginSetup({ entityUuid: uuid, country: "DE" });
  const { entity } = await ann.entities.getEntity({ entityUuid: uuid });
  const decision = { case: "approval", value: { reference: "ref-1", country: "DE" } } as const;
  const expectedVersion = required(entity).version;
  await fixture.as("operator").decideReview({ entityUuid: uuid, expectedVersion, decision });
  await close();
  await erase();
  await erase();
  const { database } = fixture.dependencies;
  const kept = await rowsWith(uuid, ann.accountUuid);
  // What was decided is kept for AUDIT_RETENTION, by the ID of an entity that is gone.
  expect(kept).toEqual([
    "entities_account",
    "entity_audit",
    "permit",
    "provider_reference",
    "sale_entity",
    "sale_wallet",
  ]);
  expect(await database.read((query) => findSaleEntityOf(query, saleUuid, uuid))).toBeDefined();
  expect(await codeOf(ann.createEntity())).toBe("failed_precondition");
});

it("exports everything about a person, and nothing about others", async () => {
  const { saleUuid, uuid, client, listed } = await takePart();
  await ann.createEntity("Alpha", EntityType.ORGANIZATION);
  await ann.entities.changeHiddenEntities({ clientUuid: client, hiddenEntityUuids: [uuid] });
  const provedAt = fixture.time.now();
  await ann.entities.confirmLiveness({ saleUuid, entityUuid: listed.entityUuid });
  const { entities, permits, hiddenEntities } = await ann.entities.exportAccount({});
  expect(hiddenEntities).toMatchObject([{ clientUuid: client, entityUuid: uuid }]);
  expect(entities.map(({ entity }) => entity?.label)).toEqual(["Me", "Alpha"]);
  const [exported] = entities;
  const address = "0x0707070707070707070707070707070707070707";
  expect(exported?.wallets).toMatchObject([
    { address, chainIds: [CHAIN_ID], countsEverywhere: false, boundSaleUuids: [saleUuid] },
  ]);
  const { entityUuid, saleSpecificEntityId } = listed;
  const presenceProvedAt = timestampFromMs(Number(provedAt));
  expect(exported?.sales).toMatchObject([{ saleUuid, entityUuid, saleSpecificEntityId, presenceProvedAt }]);
  expect(permits).toMatchObject([{ saleUuid, entityUuid: uuid, wallet: address, clientUuid: client }]);
  expect((await ann.entities.listEntities({})).permits).toEqual(permits);
  expect((await ann.entities.getEntity({ entityUuid: uuid })).wallets).toEqual(exported?.wallets);
  const nothing = { entities: [], permits: [], hiddenEntities: [], decisions: [] };
  expect(await fixture.person("bob").entities.exportAccount({})).toMatchObject(nothing);
});

it("exports what reviewers have decided, and not who they are", async () => {
  const { uuid } = await takePart();
  const operator = fixture.as("operator");
  const decide = async (decision: Decision) => {
    await ann.entities.beginSetup({ entityUuid: uuid, country: "DE" });
    const { entity } = await ann.entities.getEntity({ entityUuid: uuid });
    const expectedVersion = required(entity).version;
    await operator.decideReview({ entityUuid: uuid, expectedVersion, decision });
    fixture.time.advance(1);
  };
  await decide({ case: "refusal", value: { reason: "Blurred" } });
  await decide({ case: "approval", value: { reference: "ref-1", country: "DE" } });
  const { decisions } = await ann.entities.exportAccount({});
  expect(decisions).toMatchObject([
    { entityUuid: uuid, approved: true, final: false },
    { entityUuid: uuid, approved: false, final: false },
  ]);
});

/** Returns the tables in which a row names an entity or an account. */
async function rowsWith(...uuids: readonly string[]): Promise<readonly string[]> {
  const { query } = fixture.dependencies.database;
  const found: string[] = [];
  for (const { name } of await query.introspection.getTables()) {
    const rows = await query.withTables<Record<string, object>>().selectFrom(name).selectAll().execute();
    const values = rows.flatMap((row) => Object.values(row)).filter((value) => value instanceof Uint8Array);
    const hex = values.map((value) => Buffer.from(value).toString("hex"));
    if (uuids.some((uuid) => hex.includes(uuid.replaceAll("-", "")))) found.push(name);
  }
  return found.toSorted();
}

it("lists the 20 wallets that were bound last, and says whether there are more", async () => {
  const { uuid } = await ann.createEntity();
  const sale = bytesOfHex(fixture.sale());
  const bind = (index: number) =>
    fixture.dependencies.database.write((transaction) =>
      transaction
        .insertInto("sale_wallet")
        .values({
          ...{ sale, wallet: Buffer.alloc(20, index), kind: "evm", entity: bytesOfHex(uuid), chain_id: 0n },
          ...{ bound_at_ms: BigInt(index), permit_expires_at_ms: BigInt(index), proved_at_ms: null },
        })
        .execute(),
    );
  for (let index = 1; index <= 20; index += 1) await bind(index);
  const listed = async () => {
    const { saleWallets, hasMoreSaleWallets, hasMorePermits } = await ann.entities.listEntities({});
    return [saleWallets.length, saleWallets[0]?.wallet.slice(0, 4), hasMoreSaleWallets, hasMorePermits];
  };
  expect(await listed()).toEqual([20, "0x14", false, false]);
  await bind(21);
  expect(await listed()).toEqual([20, "0x15", true, false]);
});
