import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Wallet } from "../../../common/chains/wallet.ts";
import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { lockAccount, storeClosed } from "../entities/closed-accounts-store.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { insertDenied } from "../members/denied-wallets-store.ts";
import { memberIds, rowOfMember, storeMembers } from "../members/members-store.ts";
import { storeFreeze } from "../rules/freezes-store.ts";
import { writeRules } from "../rules/rules-store.ts";
import { storeLiveness } from "../setup/liveness-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { GROUP_UUID, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { bindStatements } from "../wallets/bindings-store.ts";
import { EVERY_CHAIN } from "../wallets/proof-chain.ts";
import { linkWallet } from "../wallets/wallet-links-store.ts";
import type { SubjectFacts } from "./decide.ts";
import { type EligibilitySubject, loadEligibility, loadFacts } from "./load-facts.ts";

const NOW_MS = 1_800_000_000_000n;
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const WALLETS = Array.from({ length: 6 }, (_, byte): Wallet => ({ kind: "evm", bytes: new Uint8Array(20).fill(byte) }));
const walletOf = (index: number) => WALLETS[index % WALLETS.length] as Wallet;

/** An entity as it is stored before the facts are read. Wallets are named by their index. */
const arbitraryEntity = fc.record({
  setupState: fc.constantFrom("complete", "in_review"),
  closed: fc.boolean(),
  frozen: fc.boolean(),
  deleted: fc.boolean(),
  links: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
  wanted: fc.nat(5),
} as const);
const arbitraryState = fc.record({
  entities: fc.array(arbitraryEntity, { minLength: 1, maxLength: 5 }),
  /** The holder of each wallet, by the entity's index; above them: nobody. */
  holders: fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }),
  denied: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
  denyList: fc.boolean(),
});
type State = typeof arbitraryState extends fc.Arbitrary<infer Value> ? Value : never;
const COMPLETE: State["entities"][number] = {
  ...{ setupState: "complete", closed: false, frozen: false, deleted: false },
  links: [],
  wanted: 0,
};

describe("the facts about a list", () => {
  it("are what is stored about each, whatever the others are", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryState, async (state) => {
        // One of its own each time: links of wallets are those of all sales.
        const database = await openEntitiesDatabase();
        const saleUuid = randomUUID();
        const subjects = await store(database, saleUuid, state);
        const loaded = await load(database, subjects);
        const entityUuids = subjects.map(({ entity }) => entity.entityUuid);
        expect(loaded.map(summary)).toEqual(
          state.entities.map((_, index) => expectedSummary(state, index, entityUuids)),
        );
        const alone = await Promise.all(subjects.map(async (subject) => (await load(database, [subject]))[0]));
        expect(loaded.map(comparable)).toEqual(alone.map(comparable));
      }),
      { numRuns: 60 },
    );
  });

  it("have memberships and proofs of presence, where the sale has such", async () => {
    const database = await openEntitiesDatabase();
    const saleUuid = randomUUID();
    await setRules(database, saleUuid, { livenessRequired: true });
    const subjects = [
      await storeSubject(database, saleUuid, COMPLETE),
      await storeSubject(database, saleUuid, COMPLETE),
    ];
    const facts = async () =>
      (await load(database, subjects)).map((each) => ({
        livenessProved: each?.eligibility.livenessProved,
        members: each?.eligibility.members.map(({ groupUuid }) => groupUuid),
      }));
    expect(await facts()).toEqual([none, none]);
    const member = {
      groupUuid: GROUP_UUID,
      key: { kind: "entity", value: subjects[1]?.entity.saleSpecificId } as never,
    };
    const row = rowOfMember(derivedKeys, saleUuid, memberIds(derivedKeys, saleUuid, member), member);
    const { dialect } = database;
    const proof = { saleUuid, entityUuid: subjects[1]?.entity.entityUuid ?? "", provedAtMs: NOW_MS };
    await database.write(async (transaction) => {
      await storeMembers(transaction, dialect, [row]);
      await storeLiveness(transaction, dialect, proof);
    });
    expect(await facts()).toEqual([none, { livenessProved: true, members: [GROUP_UUID] }]);
    const participants = subjects.map(({ wallet: _, ...participant }) => participant);
    const context = { database, derivedKeys, clock: () => NOW_MS };
    const eligibility = await loadEligibility(context, database.query, participants);
    expect(eligibility.map((each) => each?.members.length)).toEqual([0, 1]);
  });
});

const none = { livenessProved: false, members: [] };

async function load(database: EntitiesDatabase, subjects: readonly EligibilitySubject[]) {
  const context = { database, derivedKeys, clock: () => NOW_MS };
  return (await loadFacts(context, database.query, { subjects, isLocking: false })).facts;
}

/** The facts that depend on the state of the test, by indexes of wallets. */
function summary(facts: SubjectFacts | undefined) {
  if (facts === undefined) return undefined;
  const { eligibility, binding } = facts;
  return {
    ...{ isComplete: eligibility.entity.isComplete, accountClosed: eligibility.accountClosed },
    ...{ frozen: eligibility.frozen, walletRisk: eligibility.walletRisk },
    ...{
      holder: binding.binding?.entityUuid,
      isLinked: binding.isLinked,
      isLinkedElsewhere: binding.isLinkedElsewhere,
    },
    otherWallets: binding.otherWallets.map(({ wallet }) => wallet.bytes[0]).toSorted(),
  };
}

/** `summary` of an entity, from the state alone. */
function expectedSummary({ entities, holders, denied, denyList }: State, own: number, entityUuids: readonly string[]) {
  const entity = entities[own];
  if (entity === undefined || entity.deleted) return undefined;
  const { setupState, closed, frozen, wanted, links } = entity;
  return {
    ...{ isComplete: setupState === "complete", accountClosed: closed, frozen },
    walletRisk: denyList && denied.includes(wanted),
    holder: entityUuids[holders[wanted] ?? -1],
    isLinked: links.includes(wanted),
    isLinkedElsewhere: entities.some((other, index) => index !== own && other.links.includes(wanted)),
    otherWallets: holders.flatMap((holder, wallet) => (holder === own && wallet !== wanted ? [wallet] : [])),
  };
}

/** The order of an entity's other wallets doesn't matter. */
function comparable(facts: SubjectFacts | undefined) {
  if (facts === undefined) return undefined;
  const { binding } = facts;
  const byWallet = binding.otherWallets.toSorted((a, b) => Buffer.compare(a.wallet.bytes, b.wallet.bytes));
  return { ...facts, binding: { ...binding, otherWallets: byWallet } };
}

async function setRules(database: EntitiesDatabase, saleUuid: string, given: { livenessRequired?: boolean }) {
  const rules = sampleRules(given);
  await database.write((transaction) => writeRules(transaction, saleUuid, { rules, expectedVersion: 0n }, 0n));
}

async function store(
  database: EntitiesDatabase,
  saleUuid: string,
  { entities, holders, denied, denyList }: State,
): Promise<readonly EligibilitySubject[]> {
  const wallets = { ...sampleRules().wallets, denyList };
  await database.write(async (transaction) => {
    await writeRules(transaction, saleUuid, { rules: sampleRules({ wallets }), expectedVersion: 0n }, 0n);
    const rows = denied.map((index) => Buffer.from(walletOf(index).bytes));
    if (rows.length > 0) await insertDenied(transaction, saleUuid, rows);
  });
  const subjects: EligibilitySubject[] = [];
  for (const entity of entities) subjects.push(await storeSubject(database, saleUuid, entity));
  for (const [index, holder] of holders.entries()) {
    const entityUuid = subjects[holder]?.entity.entityUuid;
    if (entityUuid === undefined) continue;
    const times = { boundAtMs: NOW_MS, permitExpiresAtMs: NOW_MS };
    const ids = { saleUuid, entityUuid, wallet: walletOf(index), chainId: 1n, holder: undefined, isContracts: false };
    const binding = { ...ids, ...times, isProved: index % 2 === 0, releases: [] };
    await database.write((transaction) =>
      executeBatch(transaction, database.dialect, bindStatements(database.dialect, [binding])),
    );
  }
  return subjects;
}

async function storeSubject(
  database: EntitiesDatabase,
  saleUuid: string,
  { setupState, closed, frozen, deleted, links, wanted }: Readonly<State["entities"][number]>,
): Promise<EligibilitySubject> {
  const { dialect } = database;
  const stored = await storeEntity(database, { setupState, provider: "review", country: "DE" });
  const entity = await ensureSaleEntity(
    { database, derivedKeys, clock: () => NOW_MS },
    saleUuid,
    stored,
    "a@example.com",
  );
  await database.write(async (transaction) => {
    for (const index of links)
      await linkWallet(transaction, { entityUuid: stored.uuid, wallet: walletOf(index) }, EVERY_CHAIN, NOW_MS);
    const freeze = { saleSpecificId: entity.saleSpecificId, note: "", sinceMs: 0n };
    if (frozen) await storeFreeze(transaction, dialect, saleUuid, freeze);
    await lockAccount(transaction, dialect, stored.accountUuid);
    if (closed) await storeClosed(transaction, { accountUuid: stored.accountUuid, closedAtMs: NOW_MS });
    const row = Buffer.from(stored.uuid.replaceAll("-", ""), "hex");
    if (deleted) await transaction.deleteFrom("entity").where("entity", "=", row).execute();
  });
  return { sale: sampleSale({ saleUuid }), entity, email: "a@example.com", wallet: walletOf(wanted) };
}
