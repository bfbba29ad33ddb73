import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { keyMessage } from "./key-message.ts";
import type { KeyRings } from "./key-rings.ts";
import { removeKeys } from "./remove-keys.ts";

/** The methods of `KeyService`. */
export function keyMethods({ keyRing, rsaKeyRing }: KeyRings): ServiceImpl<typeof KeyService> {
  const listKeys = async () => {
    const [keys, rsaKeys] = [await keyRing.list(), await rsaKeyRing.list()];
    return {
      keys: [...keys.map((key) => keyMessage(key, "ES256")), ...rsaKeys.map((key) => keyMessage(key, "RS256"))],
    };
  };
  return {
    listKeys,
    removeKeys: removeKeys({ keyRing, rsaKeyRing }, listKeys),
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
