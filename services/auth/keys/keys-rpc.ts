import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { keyMessage } from "./key-message.ts";
import type { KeyRing } from "./key-ring.ts";

/** The methods of `KeyService`. */
export function keyMethods(keyRing: Pick<KeyRing, "list" | "rotate">): ServiceImpl<typeof KeyService> {
  return {
    listKeys: async () => ({ keys: (await keyRing.list()).map(keyMessage) }),
    rotateKeys: async () => ({ keys: (await keyRing.rotate()).map(keyMessage) }),
  };
}

/** The method of `AuthorizationService` for the public keys. */
export function jwksMethods(keyRing: Pick<KeyRing, "jwks">): Pick<ServiceImpl<typeof AuthorizationService>, "getJwks"> {
  return { getJwks: async () => ({ jwksJson: JSON.stringify(await keyRing.jwks()) }) };
}
