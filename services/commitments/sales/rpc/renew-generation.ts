import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { generationNumber } from "../../base/generation.ts";
import { renewGeneration as renewStored } from "../renew-generation.ts";

export function renewGeneration({ store }: Dependencies): ServiceImpl<typeof CommitmentService>["renewGeneration"] {
  return async (request) => {
    const { generation, revision } = await renewStored(store, request.saleUuid.toLowerCase());
    return { generation: generationNumber(generation), revision };
  };
}
