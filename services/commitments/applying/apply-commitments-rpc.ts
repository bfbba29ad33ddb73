import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { callerOf } from "../../../common/platform/rpc/identity/caller.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import type {
  ApplyCommitmentsRequest,
  CommitmentService,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { totalsOf } from "../base/allocation-message.ts";
import { generationNumber } from "../base/generation.ts";
import type { SaleAuthority } from "../base/sale-authority.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import type { ApplyEnvelope } from "../changing/domain/admit-apply.ts";
import { applyCommitments as applyStored } from "./apply-commitments.ts";

/** The caller that applies for people only. */
const GATEWAY = "gateway";

export function applyCommitments({
  store,
  applyMaxRows: maxRows,
  extraDataParser,
  permits,
  authority,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["applyCommitments"] {
  return async (request, context) => {
    if (callerOf(context).name === GATEWAY) await admitPerson(authority, principalOf(context), request);
    const applied = await applyStored(
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
