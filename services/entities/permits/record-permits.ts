import type { Transaction } from "kysely";
import { Batcher } from "../../shared/concurrency/batcher.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { RecentSale, RecentSales } from "../access/recent-sales.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import { lockSale } from "../base/lock-sale.ts";
import { decideParticipation } from "../eligibility/decide.ts";
import { gatherFacts } from "../eligibility/gather-facts.ts";
import { lockEntity } from "../entities/entities-store.ts";
import type { PermitKey } from "../keys/permit-key.ts";
import { readKeys } from "../keys/permit-keys-store.ts";
import { bindMembers } from "../members/bind-members.ts";
import type { EntitiesSchema } from "../schema/schema.ts";
import { bindWallet } from "../wallets/bind-wallet.ts";
import { insertPermits, type PermitRecord, storedPermits } from "./permits-store.ts";
import { recordBatch } from "./record-batch.ts";
import {
  isRecordable,
  type PermitToRecord,
  type RecordingOutcome,
  recordable,
  recordOf,
  type Unrecorded,
} from "./recordable.ts";

/** Permits that one transaction records: few enough to be done while what is known of the sale is fresh. */
const TOGETHER = 32;
const MAX_TRIES = 3;

type Dependencies = Pick<BaseDependencies, "database" | "clock" | "derivedKeys"> & {
  readonly recentSales: Pick<RecentSales, "read" | "isTrusted">;
};

/**
 * Records permits of one sale, those that arrive meanwhile together in the next transaction: they would wait for the sale's
 * lock one after another, and for as many commits.
 */
export function permitRecorder(
  dependencies: Dependencies,
  saleUuid: string,
): Batcher<PermitToRecord, RecordingOutcome> {
  return new Batcher((permits) => recordPermits(dependencies, saleUuid, permits));
}

async function recordPermits(
  dependencies: Dependencies,
  saleUuid: string,
  permits: readonly PermitToRecord[],
): Promise<readonly RecordingOutcome[]> {
  const outcomes: RecordingOutcome[] = [];
  for (let start = 0; start < permits.length; start += TOGETHER) {
    outcomes.push(...(await recordTogether(dependencies, saleUuid, permits.slice(start, start + TOGETHER))));
  }
  return outcomes;
}

/** Records permits by what is known of the sale now. If that grows too old meanwhile, nothing is recorded, and it begins again. */
async function recordTogether(
  dependencies: Dependencies,
  saleUuid: string,
  permits: readonly PermitToRecord[],
): Promise<readonly RecordingOutcome[]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const recent = await dependencies.recentSales.read(saleUuid);
    const outcomes = await transact(dependencies, recent, permits);
    if (outcomes !== undefined) return outcomes;
  }
  throw new ServiceError("unavailable", "the sale's state can't be confirmed fast enough; retry");
}

/** Checks permits again, each by itself, in the transaction that records them. @returns undefined if nothing was recorded */
async function transact(
  dependencies: Dependencies,
  recent: RecentSale,
  permits: readonly PermitToRecord[],
): Promise<readonly RecordingOutcome[] | undefined> {
  const { database } = dependencies;
  const { saleUuid } = recent.sale;
  let attempts = 0;
  const work = async (transaction: Transaction<EntitiesSchema>) => {
    await lockSale(transaction, database.dialect, saleUuid);
    attempts += 1;
    const lost = attempts > 1 ? await recordedBefore(transaction, saleUuid, permits) : undefined;
    return lost ?? recordLocked(dependencies, transaction, recent, permits);
  };
  try {
    return await database.runExclusive(saleUuid, () => database.writeLocked(work));
  } catch (error) {
    if (error instanceof StaleSale) return undefined;
    throw error;
  }
}

/** Returns the outcomes of an attempt whose commit was lost; undefined if it hasn't committed. */
async function recordedBefore(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  permits: readonly PermitToRecord[],
): Promise<readonly RecordingOutcome[] | undefined> {
  const uuids = permits.map(({ uuid }) => uuid);
  const stored = await storedPermits(transaction, saleUuid, uuids);
  return stored.size === 0 ? undefined : uuids.map((uuid) => (stored.has(uuid) ? "recorded" : "changed"));
}

async function recordLocked(
  dependencies: Dependencies,
  transaction: Transaction<EntitiesSchema>,
  recent: RecentSale,
  permits: readonly PermitToRecord[],
): Promise<readonly RecordingOutcome[]> {
  const keys = await readKeys(transaction, recent.sale.saleUuid);
  const outcomes: RecordingOutcome[] = [];
  const records: PermitRecord[] = [];
  const current = permits.map((permit) => ({ ...permit, subject: { ...permit.subject, sale: recent.sale } }));
  const together = await recordBatch(dependencies, transaction, current, keys);
  for (const permit of current) {
    const checked = together.get(permit) ?? (await check(dependencies, transaction, permit, keys));
    if (isRecordable(checked)) records.push(checked);
    outcomes.push(isRecordable(checked) ? "recorded" : checked);
  }
  if (records.length > 0) await insertPermits(transaction, records);
  // The last moment before the commit.
  if (dependencies.recentSales.isTrusted(recent)) return outcomes;
  throw new StaleSale();
}

/** Rolls back a transaction in which the facts about the sale grew too old. */
class StaleSale extends Error {}

/** Checks a permit and binds wallet and members. @returns its row, or why there is none */
async function check(
  { database, clock, derivedKeys }: Dependencies,
  transaction: Transaction<EntitiesSchema>,
  permit: PermitToRecord,
  keys: readonly PermitKey[],
): Promise<PermitRecord | Unrecorded> {
  const { subject, judged, expiresAt, bids } = permit;
  const { sale, entity, wallet } = subject;
  const nowMs = clock();
  if ((await lockEntity(transaction, database.dialect, entity.entityUuid)) === undefined) return "deleted";
  const facts = await gatherFacts(transaction, { derivedKeys, nowMs }, subject, judged);
  if (facts === undefined) return "deleted";
  const decision = recordable(permit, decideParticipation(facts), keys);
  if (!isRecordable(decision)) return decision;
  const use = { saleUuid: sale.saleUuid, entityUuid: entity.entityUuid, wallet, rules: facts.rules.wallets, bids };
  const judgement = await bindWallet(transaction, { ...use, permitExpiresAtMs: expiresAt * 1_000n }, nowMs);
  if (judgement.kind === "refused") return { refused: judgement.reason };
  if (judgement.kind === "unknown") return "changed";
  await bindMembers(transaction, sale.saleUuid, entity.entityUuid, decision.memberKeys);
  return recordOf(permit, decision, nowMs);
}
