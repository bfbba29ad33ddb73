import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { changeClientStatus } from "./change-client-status.ts";
import { clientMessage } from "./client-message.ts";

export function disableClient(
  dependencies: Pick<Dependencies, "database" | "clock" | "sales">,
): ServiceImpl<typeof ClientService>["disableClient"] {
  return async (request, context) => ({
    client: clientMessage(await changeClientStatus(dependencies, request, context, "disabled")),
  });
}
