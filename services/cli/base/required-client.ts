import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";

/** The client that an answer carries. The contract has every answer carry one, but a message may lack any field. */
export function requiredClient({ client }: { readonly client?: Client | undefined }): Client {
  if (client === undefined) throw new TypeError("the answer has no client");
  return client;
}
