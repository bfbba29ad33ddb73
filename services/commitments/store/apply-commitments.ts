import { commitmentDigest } from "../../shared/commitment-digest.ts";
import { hexOfBytes } from "../../shared/hex.ts";
import { ServiceError } from "../../shared/service-error.ts";
import { type ApplyEnvelope, admitApply } from "../domain/admit-apply.ts";
import { AmountNormaliser } from "../domain/amount.ts";
import { type ApplyPlan, type IncomingCommitment, planApply } from "../domain/apply.ts";
import { checkApply, checkRowCount } from "../domain/check-apply.ts";
import type { CommitmentRecord } from "../domain/commitment.ts";
import { payloadHash } from "../domain/payload-hash.ts";
import { type SaleState, withStage } from "../domain/sale-state.ts";
import { readAppliedRequest, recordAppliedRequest } from "./apply-request.ts";
import { changeSale, type LockedSale, type SaleChange } from "./change-sale.ts";
import { deleteRows, readStored, writeRows } from "./commitment-rows.ts";
import { freeze, readRowsSnapshot, unfreeze } from "./sale-snapshot.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { addTickChanges } from "./tick-nodes.ts";

export interface ApplyRequest extends ApplyEnvelope {
  readonly saleUuid: string;
  readonly requestId: string;
  readonly upserts: readonly CommitmentRecord[];
  /** Commitment IDs, hex. */
  readonly removals: readonly string[];
}

export interface ApplyResult {
  readonly generation: string;
  readonly revision: bigint;
  /** The request had been applied before; nothing was done now. */
  readonly repeated: boolean;
}

/**
 * Applies a difference to a sale: rows, sums, stage and revision change together or not at all.
 *
 * @param maxRows upserts and removals in one call, at most.
 * @throws ServiceError `invalid_argument`, `not_found`, `already_exists`, `failed_precondition`, `aborted`, `unavailable`.
 */
export async function applyCommitments(
  database: CommitmentsDatabase,
  request: ApplyRequest,
  maxRows: number,
): Promise<ApplyResult> {
  checkRowCount(request.upserts.length + request.removals.length, maxRows);
  return changeSale(database, request.saleUuid, async (locked) => {
    const incoming = checkedCommitments(locked, request);
    const hash = payloadHash(incoming, request.removals, request);
    const applied = await readAppliedRequest(locked.transaction, request.saleUuid, request.requestId);
    if (applied !== undefined) return repeated(locked.state, applied, hash, request.requestId);
    admitApply(locked.sale, locked.state, request);
    return applyAdmitted(database, locked, request, incoming, hash);
  });
}

function checkedCommitments({ sale }: LockedSale, { upserts, removals }: ApplyRequest): IncomingCommitment[] {
  const normaliser = new AmountNormaliser(sale.definition);
  return checkApply(sale.definition, upserts, removals).map((record) => ({
    record,
    amount: normaliser.sum(record.amounts),
    hasAmount: record.amounts.some(({ amount }) => amount > 0n),
    digest: hexOfBytes(commitmentDigest(record)),
  }));
}

function repeated(
  state: SaleState,
  applied: { readonly payloadHash: string; readonly revision: bigint },
  hash: string,
  requestId: string,
): SaleChange<ApplyResult> {
  if (applied.payloadHash !== hash) {
    throw new ServiceError("already_exists", `request ID ${requestId} was used with another payload`);
  }
  return { state, result: ({ generation }) => ({ generation, revision: applied.revision, repeated: true }) };
}

async function applyAdmitted(
  database: CommitmentsDatabase,
  locked: LockedSale,
  request: ApplyRequest,
  incoming: readonly IncomingCommitment[],
  hash: string,
): Promise<SaleChange<ApplyResult>> {
  const { transaction, sale, state: before, nowMillis } = locked;
  const target = withStage(afterAbandoned(before, request), request.stage);
  if (beginsHidden(before, request)) await freezeBody(locked);
  const plan = await writeDifference(database, locked, request, incoming, target);
  const finishes = request.changeSet === undefined || request.changeSet.last;
  if (finishes && before.changeSet !== undefined) await unfreeze(transaction, sale.uuid);
  const visible = finishes && (plan.visible || isNews(before, target));
  const revision = visible ? before.revision + 1n : before.revision;
  await recordAppliedRequest(transaction, sale.uuid, request.requestId, { payloadHash: hash, revision, nowMillis });
  return {
    state: finishes ? finished(target, request) : unfinished(afterAbandoned(before, request), request),
    ...(visible ? { update: {} } : {}),
    result: ({ generation }) => ({ generation, revision, repeated: false }),
  };
}

/**
 * A set that was to settle the sale, abandoned by one that doesn't, has used up the number of its settlement: its rows may
 * stand, and must not count in the next one.
 */
function afterAbandoned(before: SaleState, { changeSet, stage }: ApplyRequest): SaleState {
  const { changeSet: open, status } = before;
  const isAbandoned = open !== undefined && open.uuid !== changeSet?.uuid;
  if (!isAbandoned || open.stage !== "done" || stage === "done" || status === "settled") return before;
  return { ...before, settleCount: before.settleCount + 1n };
}

/** Part 0 of a set of several parts hides what follows; a body that is hidden already stays as it is. */
function beginsHidden(before: SaleState, { changeSet }: ApplyRequest): boolean {
  return changeSet !== undefined && !changeSet.last && before.changeSet === undefined && before.hasSnapshot;
}

async function freezeBody({ transaction, sale, state }: LockedSale): Promise<void> {
  await freeze(transaction, sale.uuid, await readRowsSnapshot(transaction, sale.uuid, sale.definition, state));
}

async function writeDifference(
  database: CommitmentsDatabase,
  { transaction, sale }: LockedSale,
  { removals }: ApplyRequest,
  incoming: readonly IncomingCommitment[],
  target: SaleState,
): Promise<ApplyPlan> {
  const ids = [...incoming.map(({ record }) => record.commitmentId), ...removals];
  const plan = planApply({
    incoming,
    removals,
    stored: await readStored(transaction, sale.uuid, ids),
    state: target,
    cancelledKeepsAmounts: sale.definition.cancelledKeepsAmounts,
    ticksMatter: sale.definition.pricing.kind === "auction",
  });
  await deleteRows(transaction, sale.uuid, plan.removals);
  await writeRows(database, transaction, sale.uuid, plan.rows);
  await addTickChanges(database, transaction, sale.uuid, plan.tickChanges);
  return plan;
}

/** Whether readers see something else though no row differs: another status, the first snapshot, the end of a set. */
function isNews(before: SaleState, after: SaleState): boolean {
  return before.status !== after.status || !before.hasSnapshot || before.changeSet !== undefined;
}

function finished(target: SaleState, { sourcePosition }: ApplyRequest): SaleState {
  const { changeSet: _, ...state } = target;
  return { ...state, hasSnapshot: true, ...(sourcePosition === undefined ? {} : { sourcePosition }) };
}

function unfinished(before: SaleState, { changeSet, stage }: ApplyRequest): SaleState {
  if (changeSet === undefined) return before;
  const nextPart = changeSet.part + 1;
  return { ...before, changeSet: { uuid: changeSet.uuid, nextPart, ...(stage === undefined ? {} : { stage }) } };
}
