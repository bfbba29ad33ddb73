import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";

export function getJwks({
  keyRing,
}: Pick<Dependencies, "keyRing">): ServiceImpl<typeof AuthorizationService>["getJwks"] {
  return async () => ({ jwksJson: JSON.stringify(await keyRing.jwks()) });
}
