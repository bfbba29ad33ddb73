import type { Transaction } from "kysely";
import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { judgeBinding } from "../wallets/binding.ts";
import { type BatchedBinding, bindStatements, isPlainBinding } from "./bind-batch.ts";
import { distinctSubjects } from "./distinct.ts";
import { type BatchedFacts, gatherBatch } from "./gather-batch.ts";
import { permitOf } from "./permit-of.ts";
import type { PermitRecord } from "./permits-store.ts";
import { isRecordable, type PermitToRecord, recordable, recordOf, type Unrecorded } from "./recordable.ts";

/** A permit that may be recorded, and its wallet's binding. */
interface Recordable {
  readonly record: PermitRecord;
  readonly binding: BatchedBinding;
}

type Checked = ReadonlyMap<PermitToRecord, PermitRecord | Unrecorded>;

/**
 * Checks permits of one sale together, and binds their wallets. What comes of each is what would if they were checked one after
 * another: no two have an entity or a wallet in common, and a plain binding concerns nobody else.
 *
 * @returns the results; none for permits that must be checked each by itself afterwards
 */
export async function recordBatch(
  { database, clock }: Pick<BaseDependencies, "database" | "clock">,
  transaction: Transaction<EntitiesSchema>,
  permits: readonly PermitToRecord[],
  keys: readonly PermitKey[],
): Promise<Checked> {
  const distinct = distinctSubjects(permits);
  const subjects = distinct.map(({ subject }) => subject);
  const saleUuid = subjects[0]?.sale.saleUuid ?? "";
  const { dialect } = database;
  const gathered = await gatherBatch(transaction, { dialect, saleUuid, subjects, locks: "entities" });
  if (!gathered.isPlain) return new Map();
  const nowMs = clock();
  const facts = gathered.at(nowMs);
  const judged = distinct.map((permit, index) => [permit, judge(permit, facts[index], keys, nowMs)] as const);
  const { checked, bindings } = sort(judged);
  await executeBatch(transaction, dialect, bindStatements(dialect, bindings, nowMs));
  return checked;
}

/** @returns undefined for a permit whose binding concerns others */
function judge(
  permit: PermitToRecord,
  gathered: BatchedFacts | undefined,
  keys: readonly PermitKey[],
  nowMs: bigint,
): Recordable | Unrecorded | undefined {
  if (gathered === undefined) return "deleted";
  const { facts, binding } = gathered;
  const { judged, bids, subject, expiresAt } = permit;
  const walletRisk = judged.walletRisk || facts.walletRisk;
  const decision = recordable(permit, { ...facts, wallet: judged.wallet, walletRisk }, keys);
  if (!isRecordable(decision)) return decision;
  const judgement = judgeBinding(binding, facts.rules.wallets, bids, nowMs);
  if (judgement.kind === "refused") return { refused: judgement.reason };
  if (judgement.kind === "unknown") return "changed";
  if (!isPlainBinding(binding, judgement)) return undefined;
  const { saleUuid } = subject.sale;
  const bound = { facts: binding, saleUuid, permitExpiresAtMs: expiresAt * 1_000n };
  return { record: recordOf(permit, decision, permitOf(subject, decision, expiresAt), nowMs), binding: bound };
}

function sort(judged: readonly (readonly [PermitToRecord, Recordable | Unrecorded | undefined])[]) {
  const checked = new Map<PermitToRecord, PermitRecord | Unrecorded>();
  const bindings: BatchedBinding[] = [];
  for (const [permit, result] of judged) {
    if (result === undefined) continue;
    checked.set(permit, isRecordable(result) ? result.record : result);
    if (isRecordable(result)) bindings.push(result.binding);
  }
  return { checked, bindings };
}
