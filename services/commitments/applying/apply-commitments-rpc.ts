import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { callerOf } from "../../../common/platform/rpc/identity/caller.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import type {
  ApplyCommitmentsRequest,
  CommitmentService,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { totalsOf } from "../base/allocation-message.ts";
import { withStage } from "../base/domain/sale-state.ts";
import { showsOthers } from "../base/domain/shown-allocations.ts";
import { visibleChanges } from "../base/domain/visible-changes.ts";
import { generationNumber } from "../base/generation.ts";
import type { LastSeenSale } from "../base/last-seen-sales.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { SaleAuthority } from "../base/sale-authority.ts";
import { insertAppliedRequest } from "../changing/apply-request.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { admitAllocations } from "../changing/domain/admit-allocations.ts";
import { type ApplyEnvelope, admitApply } from "../changing/domain/admit-apply.ts";
import { checkRowCount } from "../changing/domain/check-apply.ts";
import { withLateRows } from "../changing/domain/late-rows.ts";
import { type ApplyRequest, type PreparedApply, prepareApply } from "../changing/domain/prepare-apply.ts";
import { freezeBody, unfreezeBody } from "../changing/frozen-body.ts";
import { prefetchForApply, SMALL_APPLY_ROWS } from "../changing/prefetch.ts";
import { type ApplyResult, answeredBefore } from "../changing/repeated-request.ts";
import type { ChangeWork, SaleChange } from "../changing/sale-changes.ts";
import { writeDifference } from "../changing/write-difference.ts";
import {
  changed,
  completed,
  endsBidding,
  isComplete,
  isVisibleWithoutRows,
  startsHiding,
  withAppliedAllocations,
  withOpenSet,
  withoutAbandonedSet,
} from "./change-set.ts";

/** The caller that applies for people only. */
const GATEWAY = "gateway";

export function applyCommitmentsRpc({
  store,
  applyMaxRows: maxRows,
  extraDataParser,
  permits,
  authority,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["applyCommitments"] {
  return async (request, context) => {
    if (callerOf(context).name === GATEWAY) await admitPerson(authority, principalOf(context), request);
    const applied = await applyCommitments(
      store,
      {
        ...envelopeOf(request),
        saleUuid: request.saleUuid.toLowerCase(),
        requestId: request.requestId.toLowerCase(),
        upserts: request.upserts.map(recordOf),
        removals: request.removals.map(hexOfBytes),
        ...(request.allocationTotals && { allocationTotals: totalsOf(request.allocationTotals) }),
      },
      { maxRows, extraDataParser, onBiddingEnds: (saleUuid) => permits.stopPermitsSoon(saleUuid) },
    );
    return {
      generation: generationNumber(applied.generation),
      revision: applied.revision,
      repeatedRequest: applied.repeated,
    };
  };
}

/**
 * Admits the import of an owner. The sale's log and the owners' mail say so before its first part; the others only need the role, so
 * that a long import doesn't outlast a sign-in.
 *
 * @throws ServiceError `not_found`, `permission_denied`; `failed_precondition` for the first part without a recent sign-in
 */
async function admitPerson(
  authority: SaleAuthority,
  principal: Principal,
  { saleUuid, stage, sourcePosition, leaseEpoch, removals, changeSet }: ApplyCommitmentsRequest,
): Promise<void> {
  await authority.requireRole(principal, saleUuid.toLowerCase(), "owner");
  const isOfReader = sourcePosition !== undefined || leaseEpoch !== undefined || stage !== SaleStage.UNSPECIFIED;
  if (isOfReader || removals.length > 0) {
    throw new ServiceError("permission_denied", "a person only inserts and replaces commitments");
  }
  if (changeSet !== undefined && changeSet.part > 0) return;
  const imported = { field: "Commitments", before: "", after: "from a file" };
  await authority.recordChange(principal, saleUuid.toLowerCase(), "commitments", [imported]);
}

function envelopeOf(request: ApplyCommitmentsRequest): ApplyEnvelope {
  const { sourcePosition, expectedRevision, leaseEpoch, changeSet } = request;
  const stage = stageOf(request.stage);
  return {
    ...(stage === undefined ? {} : { stage }),
    ...(sourcePosition === undefined
      ? {}
      : { sourcePosition: { height: sourcePosition.height, hash: hexOfBytes(sourcePosition.hash) } }),
    ...(expectedRevision === undefined ? {} : { expectedRevision }),
    ...(leaseEpoch === undefined ? {} : { leaseEpoch }),
    ...(changeSet === undefined
      ? {}
      : { changeSet: { uuid: changeSet.changeSetUuid.toLowerCase(), part: changeSet.part, last: changeSet.last } }),
  };
}

export interface ApplyOptions {
  /** The most upserts and removals in one call. */
  readonly maxRows: number;
  /** Returns the parser of extra data for a parameter list: events carry commitments as readers are shown them. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
  /** Called before the sale is locked if the apply ends bidding. It mustn't fail, or take long. */
  readonly onBiddingEnds: (saleUuid: string) => Promise<void>;
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
  if (complete && before.changeSet !== undefined) await unfreezeBody(changing);
  const needsReload = isVisibleWithoutRows(before, target) || showsOthers(before, reached);
  const isVisible = complete && (plan.visible || needsReload);
  const revision = isVisible ? before.revision + 1n : before.revision;
  const applied = { payloadHash: hash, revision, nowMillis };
  await writes.add([insertAppliedRequest(dialect, sale.uuid, request.requestId, applied)]);
  const facts = { definition, state: reached, before: figures };
  const changes = isVisible && !needsReload ? visibleChanges(plan, facts, parse) : undefined;
  const whole = completed(isVisible ? changed(reached, request) : reached, request);
  const after = complete ? whole : withOpenSet(resumed, request, rows);
  return {
    state: withLateRows(after, plan.added, { nowMillis, revision: before.revision + 1n }),
    ...(isVisible && { update: { changes } }),
    result: ({ generation }) => ({ generation, revision, repeated: false }),
  };
}
