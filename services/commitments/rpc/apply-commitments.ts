import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ApplyCommitmentsRequest,
  CommitmentService,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { recordOf } from "../../shared/commitment-record/commitment-message.ts";
import { hexOfBytes } from "../../shared/encoding/hex.ts";
import type { ApplyEnvelope } from "../domain/apply/admit-apply.ts";
import { generationNumber } from "../messages/generation.ts";
import { stageOf } from "../messages/sale-message.ts";
import { applyCommitments as applyStored } from "../use-cases/apply-commitments.ts";
import type { Dependencies } from "./dependencies.ts";

export function applyCommitments({
  store,
  applyMaxRows: maxRows,
  extraDataParser,
  participation,
}: Dependencies): ServiceImpl<typeof CommitmentService>["applyCommitments"] {
  return async (request) => {
    const applied = await applyStored(
      store,
      {
        ...envelopeOf(request),
        saleUuid: request.saleUuid.toLowerCase(),
        requestId: request.requestId.toLowerCase(),
        upserts: request.upserts.map(recordOf),
        removals: request.removals.map(hexOfBytes),
      },
      { maxRows, extraDataParser, onBiddingEnds: (saleUuid) => participation.stopPermitsSoon(saleUuid) },
    );
    return {
      generation: generationNumber(applied.generation),
      revision: applied.revision,
      repeatedRequest: applied.repeated,
    };
  };
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
