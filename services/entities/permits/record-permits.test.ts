import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import type { RecentSale } from "../authority/recent-sales.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { decideParticipation } from "../eligibility/decide.ts";
import { gatherFacts, type ParticipationSubject } from "../eligibility/gather-facts.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { insertKey, readKeys, storeActivation } from "../permit-keys/permit-keys-store.ts";
import { writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { permitOf } from "./permit-of.ts";
import { readPermits } from "./permits-store.ts";
import { permitRecorder } from "./record-permits.ts";
import type { PermitToRecord } from "./recordable.ts";

const NOW_MS = 1_800_000_000_000n;
const SALE = sampleSale({ saleUuid: randomUUID() });
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const JUDGED = { wallet: "usable", walletRisk: false, screening: sampleRules().wallets } as const;

describe("a permit that is recorded", () => {
  let database: EntitiesDatabase;
  let key: PermitKey;
  beforeEach(async () => {
    database = await openEntitiesDatabase();
    const { saleUuid } = SALE;
    const made = { address: randomBytes(20), remote: true, createdAtMs: 0n };
    const next: PermitKey = { uuid: randomUUID(), saleUuid, status: "next", kind: "evm", chain: "base", ...made };
    await database.write(async (transaction) => {
      await insertKey(transaction, next);
      await storeActivation(transaction, next, 0n);
      await writeRules(transaction, saleUuid, { rules: sampleRules(), expectedVersion: 0n }, 0n);
    });
    key = (await readKeys(database.query, saleUuid))[0] ?? next;
  });

  /** Makes a permit as it was checked and signed for a new entity. */
  async function permit(given: Partial<ParticipationSubject> = {}): Promise<PermitToRecord> {
    const entity = await storeEntity(database, { setupState: "complete", provider: "review", country: "DE" });
    const saleEntity = await ensureSaleEntity({ database, derivedKeys }, SALE.saleUuid, entity, "a@example.com");
    const { wallet, entity: its } = {
      wallet: { kind: "evm", bytes: randomBytes(20) } as const,
      entity: saleEntity,
      ...given,
    };
    const subject: ParticipationSubject = { sale: SALE, entity: its, email: "a@example.com", wallet };
    const facts = await gatherFacts(database.query, { derivedKeys, nowMs: NOW_MS }, subject, JUDGED);
    const decision = facts && decideParticipation(facts);
    if (decision?.kind !== "ready") throw new Error("not ready");
    const expiresAt = NOW_MS / 1_000n + 600n;
    const encoded = encodePermit("evm", permitOf(subject, decision, expiresAt));
    const clientUuid = randomUUID();
    return { uuid: randomUUID(), subject, judged: JUDGED, bids: new Map(), clientUuid, key, expiresAt, encoded };
  }

  /** @param trusted whether the facts about the sale are fresh still, at the end of each transaction */
  function recorder(trusted: () => boolean) {
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const recentSales = { read, isTrusted: trusted };
    return permitRecorder({ database, clock: () => NOW_MS, derivedKeys, recentSales }, SALE.saleUuid);
  }
  const stored = () => readPermits(database.query, SALE.saleUuid, { after: "", size: 100 });

  it("is stored only if the sale was confirmed open at most two seconds ago, when the transaction ends", async () => {
    let transactions = 0;
    const batcher = recorder(() => {
      transactions += 1;
      return transactions === 2;
    });
    expect(await batcher.run(await permit())).toBe("recorded");
    expect([transactions, (await stored()).length]).toEqual([2, 1]);
    await expect(recorder(() => false).run(await permit())).rejects.toMatchObject({ code: "unavailable" });
    expect(await stored()).toHaveLength(1);
  });

  it("is judged by itself among those that are recorded together", async () => {
    const batcher = recorder(() => true);
    const good = await Promise.all(Array.from({ length: 40 }, () => permit()));
    const [first] = good;
    if (first === undefined) throw new Error("none");
    const other = { ...(await permit()), encoded: first.encoded };
    const foreign = { ...(await permit()), key: { ...key, uuid: randomUUID() } };
    const outcomes = await Promise.all([...good, other, foreign].map((each) => batcher.run(each)));
    expect(outcomes.slice(0, 40)).toEqual(Array(40).fill("recorded"));
    expect(outcomes.slice(40)).toEqual(["changed", "changed"]);
    expect(await stored()).toHaveLength(40);
  });

  it("gives a wallet to one entity, and an entity no more wallets than it may have, among those that are recorded together", async () => {
    const [first, second] = [await permit(), await permit()];
    const stolen = await permit({ wallet: first.subject.wallet });
    const more = await Promise.all(Array.from({ length: 12 }, () => permit({ entity: second.subject.entity })));
    const again = { ...first, uuid: randomUUID() };
    // The first is recorded alone, and all others together. Whether the wallet can change hands depends on bids, which nobody has asked for.
    const batcher = recorder(() => true);
    const outcomes = await Promise.all(
      [await permit(), first, stolen, second, ...more, again].map((each) => batcher.run(each)),
    );
    const { maxWalletsPerEntity } = sampleRules().wallets;
    expect(outcomes.slice(1, 4)).toEqual(["recorded", "changed", "recorded"]);
    const extra = outcomes.slice(4, -1);
    expect(extra.filter((outcome) => outcome === "recorded")).toHaveLength(maxWalletsPerEntity - 1);
    expect(extra.at(-1)).toEqual({ refused: "max-wallets-used" });
    expect(outcomes.at(-1)).toBe("recorded");
    expect(await stored()).toHaveLength(maxWalletsPerEntity + 3);
  });
});
