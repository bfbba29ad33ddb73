import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { generationNumber } from "../messages/generation.ts";
import { renewGeneration as renewStored } from "../use-cases/renew-generation.ts";
import type { Dependencies } from "./dependencies.ts";

export function renewGeneration({ store }: Dependencies): ServiceImpl<typeof CommitmentService>["renewGeneration"] {
  return async (request) => {
    const { generation, revision } = await renewStored(store, request.saleUuid.toLowerCase());
    return { generation: generationNumber(generation), revision };
  };
}
