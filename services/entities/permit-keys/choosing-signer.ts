import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { PermitSigner, StoredKeySigner } from "../base/permit-signer.ts";

/**
 * Makes keys with the remote signer if there is one, and signs with whichever holds the key: a sale that began without a
 * remote signer goes on with its stored key.
 */
export function choosingSigner(stored: StoredKeySigner, remote: PermitSigner | undefined): StoredKeySigner {
  return {
    openKey: stored.openKey,
    createKey: (keyUuid, kind) => (remote ?? stored).createKey(keyUuid, kind),
    async sign(key, encoded) {
      const signer = key.remote ? remote : stored;
      if (signer !== undefined) return signer.sign(key, encoded);
      throw new ServiceError("unavailable", "a remote signer holds the sale's key, and PERMIT_SIGNER_URL isn't set");
    },
  };
}
