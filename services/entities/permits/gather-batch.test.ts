import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Wallet } from "../../../common/chains/wallet.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { gatherFacts, type ParticipationSubject } from "../eligibility/gather-facts.ts";
import { lockAccount, storeClosed } from "../entities/closed-accounts-store.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { insertDenied } from "../members/denied-wallets-store.ts";
import { storeFreeze } from "../rules/freezes-store.ts";
import { writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { readBindingFacts } from "../wallets/bind-wallet.ts";
import { insertSaleWallets } from "../wallets/sale-wallets-store.ts";
import { linkWallet } from "../wallets/wallet-links-store.ts";
import { type BatchedFacts, gatherBatch } from "./gather-batch.ts";

const NOW_MS = 1_800_000_000_000n;
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const USABLE = { wallet: "usable", walletRisk: false } as const;
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

describe("the facts of a batch", () => {
  it("are those that would be read for each subject by itself", async () => {
    const database = await openEntitiesDatabase();
    await fc.assert(
      fc.asyncProperty(arbitraryState, async (state) => {
        const saleUuid = randomUUID();
        const subjects = await store(database, saleUuid, state);
        const { dialect } = database;
        const batch = await gatherBatch(database.query, { dialect, saleUuid, subjects, locks: "none" });
        expect(batch.isPlain).toBe(true);
        const facts = batch.at(NOW_MS).map(comparable);
        expect(facts).toEqual(await Promise.all(subjects.map((subject) => alone(database, subject))));
      }),
      { numRuns: 60 },
    );
  });

  it("aren't all of those of a sale with members or proofs of presence", async () => {
    const database = await openEntitiesDatabase();
    const [withMember, withLiveness, plain] = [randomUUID(), randomUUID(), randomUUID()];
    await setRules(database, withLiveness, { livenessRequired: true });
    await setRules(database, withMember, {});
    await setRules(database, plain, {});
    const sale = Buffer.from(withMember.replaceAll("-", ""), "hex");
    const bytes = { member: Buffer.alloc(16), member_group: Buffer.alloc(16), key_mac: Buffer.alloc(32) };
    const member = { ...bytes, sale, key_kind: "wallet", key_value: Buffer.alloc(20) } as const;
    const row = { ...member, min_amount: null, max_amount: null };
    await database.query.insertInto("group_member").values(row).execute();
    const isPlain = async (saleUuid: string) => {
      const subjects = [await storeSubject(database, saleUuid, COMPLETE)];
      const { dialect } = database;
      return (await gatherBatch(database.query, { dialect, saleUuid, subjects, locks: "none" })).isPlain;
    };
    expect(await isPlain(withMember)).toBe(false);
    expect(await isPlain(withLiveness)).toBe(false);
    expect(await isPlain(plain)).toBe(true);
  });
});

/** The facts that the path for one permit reads. */
async function alone(database: EntitiesDatabase, subject: ParticipationSubject) {
  const facts = await gatherFacts(database.query, { derivedKeys, nowMs: NOW_MS }, subject, USABLE);
  if (facts === undefined) return undefined;
  const key = { ...subject.entity, saleUuid: subject.sale.saleUuid, wallet: subject.wallet };
  return comparable({ facts, binding: await readBindingFacts(database.query, key) });
}

/** The order of an entity's other wallets doesn't matter. */
function comparable(gathered: Pick<BatchedFacts, "facts" | "binding"> | undefined) {
  if (gathered === undefined) return undefined;
  const { facts, binding } = gathered;
  const byWallet = binding.otherWallets.toSorted((a, b) => Buffer.compare(a.wallet.bytes, b.wallet.bytes));
  return { facts, binding: { ...binding, otherWallets: byWallet } };
}

async function setRules(database: EntitiesDatabase, saleUuid: string, given: { livenessRequired?: boolean }) {
  const rules = sampleRules(given);
  await database.write((transaction) => writeRules(transaction, saleUuid, { rules, expectedVersion: 0n }, 0n));
}

async function store(
  database: EntitiesDatabase,
  saleUuid: string,
  { entities, holders, denied, denyList }: State,
): Promise<readonly ParticipationSubject[]> {
  const wallets = { ...sampleRules().wallets, denyList };
  await database.write(async (transaction) => {
    await writeRules(transaction, saleUuid, { rules: sampleRules({ wallets }), expectedVersion: 0n }, 0n);
    const rows = denied.map((index) => Buffer.from(walletOf(index).bytes));
    if (rows.length > 0) await insertDenied(transaction, saleUuid, rows);
  });
  const subjects: ParticipationSubject[] = [];
  for (const entity of entities) subjects.push(await storeSubject(database, saleUuid, entity));
  for (const [index, holder] of holders.entries()) {
    const entityUuid = subjects[holder]?.entity.entityUuid;
    if (entityUuid === undefined) continue;
    const binding = { saleUuid, entityUuid, wallet: walletOf(index), isProved: index % 2 === 0 };
    await database.write((transaction) =>
      insertSaleWallets(transaction, [{ ...binding, permitExpiresAtMs: NOW_MS }], NOW_MS),
    );
  }
  return subjects;
}

async function storeSubject(
  database: EntitiesDatabase,
  saleUuid: string,
  { setupState, closed, frozen, deleted, links, wanted }: Readonly<State["entities"][number]>,
): Promise<ParticipationSubject> {
  const { dialect } = database;
  const stored = await storeEntity(database, { setupState, provider: "review", country: "DE" });
  const entity = await ensureSaleEntity({ database, derivedKeys }, saleUuid, stored, "a@example.com");
  await database.write(async (transaction) => {
    for (const index of links) await linkWallet(transaction, stored.uuid, walletOf(index), NOW_MS);
    const freeze = { saleSpecificId: entity.saleSpecificId, note: "", sinceMs: 0n };
    if (frozen) await storeFreeze(transaction, dialect, saleUuid, freeze);
    await lockAccount(transaction, dialect, stored.accountUuid);
    if (closed) await storeClosed(transaction, { accountUuid: stored.accountUuid, closedAtMs: NOW_MS });
    const row = Buffer.from(stored.uuid.replaceAll("-", ""), "hex");
    if (deleted) await transaction.deleteFrom("entity").where("entity", "=", row).execute();
  });
  return { sale: sampleSale({ saleUuid }), entity, email: "a@example.com", wallet: walletOf(wanted) };
}
