import type { Transaction } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { gatherFacts } from "../eligibility/gather-facts.ts";
import { lockEntity } from "../entities/entities-store.ts";
import { bindMembers } from "../members/bind-members.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { readKeys } from "../permit-keys/permit-keys-store.ts";
import { bindWallet } from "../wallets/bind-wallet.ts";
import { permitOf } from "./permit-of.ts";
import { insertPermitsStatement, type PermitRecord } from "./permits-store.ts";
import { recordBatch } from "./record-batch.ts";
import {
  isRecordable,
  type PermitToRecord,
  type RecordingOutcome,
  recordable,
  recordOf,
  type Unrecorded,
} from "./recordable.ts";
import { type RecordedSale, type RecordingDependencies, recordingTransaction } from "./recording-transaction.ts";

/** Permits that one transaction records: few enough to be done while what is known of the sale is fresh. */
const TOGETHER = 32;

type Dependencies = RecordingDependencies & Pick<BaseDependencies, "derivedKeys">;

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
    const together = permits.slice(start, start + TOGETHER);
    const recorded = await recordingTransaction<readonly RecordingOutcome[]>(
      dependencies,
      saleUuid,
      (transaction, sale) => record(dependencies, transaction, sale, together),
    );
    outcomes.push(...recorded);
  }
  return outcomes;
}

/** Checks permits again, each by itself, in the transaction that records them. */
async function record(
  dependencies: Dependencies,
  transaction: Transaction<EntitiesSchema>,
  { sale, confirm }: RecordedSale<readonly RecordingOutcome[]>,
  permits: readonly PermitToRecord[],
): Promise<void> {
  const { dialect } = dependencies.database;
  await lockSale(transaction, dialect, sale.saleUuid);
  const keys = await readKeys(transaction, sale.saleUuid);
  const outcomes: RecordingOutcome[] = [];
  const records: PermitRecord[] = [];
  const current = permits.map((permit) => ({ ...permit, subject: { ...permit.subject, sale } }));
  const together = await recordBatch(dependencies, transaction, current, keys);
  for (const permit of current) {
    const checked = together.get(permit) ?? (await check(dependencies, transaction, permit, keys));
    if (isRecordable(checked)) records.push(checked);
    outcomes.push(isRecordable(checked) ? "recorded" : checked);
  }
  if (records.length > 0) await transaction.executeQuery(insertPermitsStatement(dialect, records));
  confirm({ permitUuids: records.map(({ uuid }) => uuid), result: () => outcomes });
}

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
  const decision = recordable(permit, facts, keys);
  if (!isRecordable(decision)) return decision;
  const use = { saleUuid: sale.saleUuid, entityUuid: entity.entityUuid, wallet, rules: facts.rules.wallets, bids };
  const judgement = await bindWallet(transaction, { ...use, permitExpiresAtMs: expiresAt * 1_000n }, nowMs);
  if (judgement.kind === "refused") return { refused: judgement.reason };
  if (judgement.kind === "unknown") return "changed";
  await bindMembers(transaction, sale.saleUuid, entity.entityUuid, decision.memberKeys);
  return recordOf(permit, decision, permitOf(subject, decision, expiresAt), nowMs);
}
