import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";

/** The client in an answer. The service always sets it, although the field is optional in the message. */
export function requiredClient({ client }: { readonly client?: Client | undefined }): Client {
  if (client === undefined) throw new TypeError("the answer has no client");
  return client;
}
