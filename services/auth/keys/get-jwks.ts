import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { KeyRing } from "./key-ring.ts";

export function getJwks({
  keyRing,
}: {
  readonly keyRing: Pick<KeyRing, "jwks">;
}): ServiceImpl<typeof AuthorizationService>["getJwks"] {
  return async () => ({ jwksJson: JSON.stringify(await keyRing.jwks()) });
}
