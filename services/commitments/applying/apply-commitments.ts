import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import { withStage } from "../base/domain/sale-state.ts";
import { showsOthers } from "../base/domain/shown-allocations.ts";
import { visibleChanges } from "../base/domain/visible-changes.ts";
import type { LastSeenSale } from "../base/last-seen-sales.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { appliedRequestOf, insertAppliedRequest } from "../changing/apply-request.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { admitAllocations } from "../changing/domain/admit-allocations.ts";
import { admitApply } from "../changing/domain/admit-apply.ts";
import { checkRowCount } from "../changing/domain/check-apply.ts";
import { type ApplyRequest, type PreparedApply, prepareApply } from "../changing/domain/prepare-apply.ts";
import { freezeBody, unfreezeBody } from "../changing/frozen-body.ts";
import { prefetchForApply, SMALL_APPLY_ROWS } from "../changing/prefetch.ts";
import type { ChangeWork, NoChange, SaleChange } from "../changing/sale-changes.ts";
import { writeDifference } from "../changing/write-difference.ts";
import {
  changed,
  completed,
  isComplete,
  isVisibleWithoutRows,
  startsHiding,
  withAppliedAllocations,
  withOpenSet,
  withoutAbandonedSet,
} from "./change-set.ts";
import { endsBidding } from "./ends-bidding.ts";

export interface ApplyOptions {
  /** The most upserts and removals in one call. */
  readonly maxRows: number;
  /** Returns the parser of extra data for a parameter list: events carry commitments as readers are shown them. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
  /** Called before the sale is locked if the apply ends bidding. It mustn't fail, or take long. */
  readonly onBiddingEnds: (saleUuid: string) => Promise<void>;
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
 * @throws ServiceError `invalid_argument`, `not_found`, `already_exists`, `failed_precondition`, `aborted`, `unavailable`.
 */
export async function applyCommitments(
  store: CommitmentsStore,
  request: ApplyRequest,
  { maxRows, extraDataParser, onBiddingEnds }: ApplyOptions,
): Promise<ApplyResult> {
  checkRowCount(request.upserts.length + request.removals.length, maxRows);
  const { dialect } = store.database;
  // Before the sale is locked: meanwhile the database can work on another apply of the same sale.
  const { seen, prepared } = await prepare(store, request);
  if (endsBidding(seen.state.stage, request)) await onBiddingEnds(request.saleUuid);
  const parse = await extraDataParser(seen.definition.extraDataParameters);
  const work: ChangeWork<ApplyResult> = async (changing) => {
    const { definition } = changing.sale;
    // Equal definitions are one object while they are cached (`decodeSale`); else it is only prepared once more.
    const isCurrent = definition === seen.definition;
    const current = isCurrent ? prepared : prepareApply(definition, request);
    const answered = answeredBefore(changing, request.requestId, current.hash);
    if (answered !== undefined) return answered;
    admitApply(changing.sale, changing.state, request);
    const currentParse = isCurrent ? parse : await extraDataParser(definition.extraDataParameters);
    return applyAdmitted(store, changing, request, current, currentParse);
  };
  return store.changes.run(request.saleUuid, work, {
    prefetch: () => prefetchForApply(dialect, request, seen),
    tryOptimistic: isSmallInsert(request),
  });
}

/**
 * Prepares an apply with the sale as this process last saw it, or, if that is impossible, as it is stored now. Whether the
 * sale is still so shows when it is locked.
 */
async function prepare(
  { database, lastSeen }: CommitmentsStore,
  request: ApplyRequest,
): Promise<{ readonly seen: LastSeenSale; readonly prepared: PreparedApply }> {
  const seen = lastSeen.get(request.saleUuid);
  try {
    if (seen !== undefined) return { seen, prepared: prepareApply(seen.definition, request) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  const { sale, state } = await database.snapshot((transaction) => readSaleWithState(transaction, request.saleUuid));
  const { definition } = sale;
  return { seen: { definition, state }, prepared: prepareApply(definition, request) };
}

/**
 * Whether an apply is worth an optimistic try: a few commitments that are probably new. If one of them isn't, or the request
 * was applied before, the database refuses the insertion, and the sale is locked and read.
 */
function isSmallInsert({ upserts, removals, changeSet }: ApplyRequest): boolean {
  const isSmall = upserts.length > 0 && upserts.length <= SMALL_APPLY_ROWS;
  return isSmall && removals.length === 0 && changeSet === undefined;
}

/**
 * Returns the answer to a request that was applied before; undefined for another one.
 *
 * @param payloadHash of the request
 * @throws ServiceError `already_exists` if it was applied with another payload
 */
export function answeredBefore(
  { state: { generation }, prefetched }: ChangingSale,
  requestId: string,
  payloadHash: string,
): NoChange<ApplyResult> | undefined {
  const applied = appliedRequestOf(prefetched.appliedRequest ?? []);
  if (applied === undefined) return undefined;
  if (applied.payloadHash !== payloadHash) {
    throw new ServiceError("already_exists", `request ID ${requestId} was used with another payload`);
  }
  return { unchanged: { generation, revision: applied.revision, repeated: true } };
}

async function applyAdmitted(
  { database: { dialect } }: CommitmentsStore,
  changing: ChangingSale,
  request: ApplyRequest,
  { incoming, totals, hash }: PreparedApply,
  parse: ExtraDataParser,
): Promise<SaleChange<ApplyResult>> {
  const { sale, state: before, nowMillis, nodes, writes } = changing;
  const { definition } = sale;
  const resumed = withoutAbandonedSet(before, request);
  const target = withStage(resumed, request.stage);
  admitAllocations(sale, target, request);
  if (startsHiding(before, request)) await freezeBody(dialect, changing);
  const figures = await nodes.total(activeClasses(before, definition.cancelledKeepsAmounts));
  const plan = await writeDifference(dialect, changing, { incoming, removals: request.removals }, target);
  const complete = isComplete(request);
  const rows = plan.acceptedChanges;
  const reached = withAppliedAllocations(definition, target, totals, rows);
  if (complete && before.changeSet !== undefined) await unfreezeBody(changing.transaction, sale.uuid);
  const needsReload = isVisibleWithoutRows(before, target) || showsOthers(before, reached);
  const isVisible = complete && (plan.visible || needsReload);
  const revision = isVisible ? before.revision + 1n : before.revision;
  const applied = { payloadHash: hash, revision, nowMillis };
  await writes.add([insertAppliedRequest(dialect, sale.uuid, request.requestId, applied)]);
  const facts = { definition, state: reached, before: figures };
  const changes = isVisible && !needsReload ? visibleChanges(plan, facts, parse) : undefined;
  const whole = completed(isVisible ? changed(reached, request) : reached, request);
  return {
    state: complete ? whole : withOpenSet(resumed, request, rows),
    ...(isVisible && { update: { changes } }),
    result: ({ generation }) => ({ generation, revision, repeated: false }),
  };
}
