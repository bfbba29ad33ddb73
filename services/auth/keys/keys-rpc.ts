import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import { keyMessages } from "./key-message.ts";
import type { KeyRings } from "./key-rings.ts";
import { removeKeys } from "./remove-keys.ts";

/** The methods of `KeyService`. */
export function keyMethods(
  { keyRing, rsaKeyRing }: KeyRings,
  metrics: Pick<AuthMetrics, "keysRemoved">,
): ServiceImpl<typeof KeyService> {
  const listKeys = async () => ({ keys: keyMessages(await keyRing.list(), await rsaKeyRing.list()) });
  return {
    listKeys,
    removeKeys: removeKeys({ keyRing, rsaKeyRing, listKeys, metrics }),
    async rotateKeys() {
      // First those that were made last: if they can't be rotated yet, none is.
      if ((await rsaKeyRing.list()).length > 0) await rsaKeyRing.rotate();
      await keyRing.rotate();
      return listKeys();
    },
  };
}

/** The method of `AuthorizationService` for the public keys. */
export function jwksMethods({
  keyRing,
  rsaKeyRing,
}: KeyRings): Pick<ServiceImpl<typeof AuthorizationService>, "getJwks"> {
  return {
    async getJwks({ complete }) {
      const [{ keys }, { keys: rsaKeys }] = [await keyRing.jwks(), await rsaKeyRing.jwks(complete)];
      return { jwksJson: JSON.stringify({ keys: [...keys, ...rsaKeys] }) };
    },
  };
}
