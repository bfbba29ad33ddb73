import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { clientMessage } from "./client-message.ts";
import type { ClientDependencies } from "./dependencies.ts";
import { requestedClient } from "./requested-client.ts";

export function getClient(
  dependencies: Pick<ClientDependencies, "database">,
): ServiceImpl<typeof ClientService>["getClient"] {
  return async (request, context) => {
    const { client } = await requestedClient(dependencies, request, context, "viewer");
    return { client: clientMessage(client) };
  };
}
