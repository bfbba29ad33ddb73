import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { clientMessage } from "./client-message.ts";
import { requestedClient } from "./requested-client.ts";

export function getClient(
  dependencies: Pick<Dependencies, "database">,
): ServiceImpl<typeof ClientService>["getClient"] {
  return async (request, context) => {
    const { client } = await requestedClient(dependencies, request, context, "viewer");
    return { client: clientMessage(client) };
  };
}
