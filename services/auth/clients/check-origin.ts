import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { isRegisteredOrigin } from "./clients-store.ts";
import type { ClientDependencies } from "./dependencies.ts";

export function checkOrigin({ database }: ClientDependencies): ServiceImpl<typeof AuthorizationService>["checkOrigin"] {
  return async ({ origin }) => ({ registered: await isRegisteredOrigin(database, origin) });
}
