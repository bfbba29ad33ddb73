import type { CommitmentData } from "./commitment-data.ts";
import { type CallOptions, jsonPost, request, type Server, urlOf } from "./request.ts";

/**
 * Reads a sale's figures. It needs no sign-in.
 *
 * @throws TidemarkError `not_found` for a sale that isn't public
 */
export function readCommitmentData(
  server: Server,
  saleUuid: string,
  options: CallOptions = {},
): Promise<CommitmentData> {
  const url = urlOf(server, "public/read-commitment-data");
  return request(url, jsonPost({ SaleUUID: saleUuid }), { ...options, ...server });
}
