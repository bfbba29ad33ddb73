import { ServiceError } from "../../shared/service-error.ts";
import { admitApply } from "../domain/admit-apply.ts";
import { type ApplyPlan, type IncomingCommitment, planApply, type StoredCommitment } from "../domain/apply.ts";
import { checkRowCount } from "../domain/check-apply.ts";
import { type ApplyPayload, prepareApply } from "../domain/prepare-apply.ts";
import { type SaleState, withStage } from "../domain/sale-state.ts";
import { readAppliedRequest, recordAppliedRequest } from "./apply-request.ts";
import { changeSale, type LockedSale, type NoChange, type SaleChange } from "./change-sale.ts";
import { deleteRows, insertRows, readStored, writeRows } from "./commitment-rows.ts";
import { readSale } from "./sale-rows.ts";
import { freeze, readRowsSnapshot, unfreeze } from "./sale-snapshot.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { addTickChanges } from "./tick-nodes.ts";

export interface ApplyRequest extends ApplyPayload {
  readonly saleUuid: string;
  readonly requestId: string;
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
  const known = await database.read((query) => readSale(query, request.saleUuid));
  // Before the sale is locked: it takes time in which the database can work on another apply of the same sale.
  const prepared = prepareApply(known.definition, request);
  return changeSale(database, request.saleUuid, async (locked) => {
    const isCurrent = locked.sale.definitionVersion === known.definitionVersion;
    const { incoming, hash } = isCurrent ? prepared : prepareApply(locked.sale.definition, request);
    const applied = await readAppliedRequest(locked.transaction, request.saleUuid, request.requestId);
    if (applied !== undefined) return repeated(locked.state, applied, hash, request.requestId);
    admitApply(locked.sale, locked.state, request);
    return applyAdmitted(database, locked, request, incoming, hash);
  });
}

function repeated(
  state: SaleState,
  applied: { readonly payloadHash: string; readonly revision: bigint },
  hash: string,
  requestId: string,
): NoChange<ApplyResult> {
  if (applied.payloadHash !== hash) {
    throw new ServiceError("already_exists", `request ID ${requestId} was used with another payload`);
  }
  return { unchanged: { generation: state.generation, revision: applied.revision, repeated: true } };
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
  { transaction, sale, state: before }: LockedSale,
  { removals }: ApplyRequest,
  incoming: readonly IncomingCommitment[],
  target: SaleState,
): Promise<ApplyPlan> {
  const planFor = (stored: ReadonlyMap<string, StoredCommitment>) =>
    planApply({
      incoming,
      removals,
      stored,
      state: target,
      cancelledKeepsAmounts: sale.definition.cancelledKeepsAmounts,
      ticksMatter: sale.definition.pricing.kind === "auction",
    });
  const ifNew = before.hasSnapshot || removals.length > 0 ? undefined : planFor(new Map());
  if (ifNew !== undefined && (await insertRows(database, transaction, sale.uuid, ifNew.rows))) {
    await addTickChanges(database, transaction, sale.uuid, ifNew.tickChanges);
    return ifNew;
  }
  const ids = [...incoming.map(({ record }) => record.commitmentId), ...removals];
  const plan = planFor(await readStored(database, transaction, sale.uuid, ids));
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
