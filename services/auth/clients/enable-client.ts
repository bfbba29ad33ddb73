import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { changeClientStatus } from "./change-client-status.ts";
import { clientMessage } from "./client-message.ts";
import type { ClientDependencies } from "./dependencies.ts";

export function enableClient(
  dependencies: Pick<ClientDependencies, "database" | "clock" | "sales">,
): ServiceImpl<typeof ClientService>["enableClient"] {
  return async (request, context) => ({
    client: clientMessage(await changeClientStatus(dependencies, request, context, "active")),
  });
}
