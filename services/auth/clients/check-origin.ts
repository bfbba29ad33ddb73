import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { isRegisteredOrigin } from "./clients-store.ts";

export function checkOrigin({ database }: Dependencies): ServiceImpl<typeof AuthorizationService>["checkOrigin"] {
  return async ({ origin }) => ({ registered: await isRegisteredOrigin(database, origin) });
}
