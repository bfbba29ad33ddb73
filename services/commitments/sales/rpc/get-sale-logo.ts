import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { readLogo } from "../store/read-sale-logo.ts";

export function getSaleLogo({ store }: Dependencies): ServiceImpl<typeof CommitmentService>["getSaleLogo"] {
  return async ({ logo }) => {
    const { mediaType, bytes } = await readLogo(store.database, logo);
    return { mediaType, image: Uint8Array.from(bytes) };
  };
}
