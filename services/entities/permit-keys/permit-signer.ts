import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { PermitKey } from "./permit-key.ts";

/** A key that was just made. */
export interface NewPermitKey {
  /** The EVM address or SVM public key. */
  readonly address: Uint8Array;
  readonly remote: boolean;
  /** The private key, wrapped for storage; absent if a remote signer holds it. */
  readonly privateKey?: Uint8Array;
}

/** A private key in memory, for several permits. */
export interface OpenKey {
  /** Signs an encoded permit as `PermitSigner.sign`. */
  sign(encoded: Uint8Array): Uint8Array;
  /** Removes the key from memory. */
  close(): void;
}

/** Holds private keys, or reaches who holds them, and signs permits. */
export interface PermitSigner {
  /** Makes a key. @throws ServiceError `unavailable` */
  createKey(keyUuid: string, kind: ChainFamily): Promise<NewPermitKey>;
  /**
   * Signs an encoded permit (`encodePermit`).
   *
   * @returns EVM: 65 bytes, r, s and v; SVM: 64 bytes
   * @throws ServiceError `unavailable`
   */
  sign(key: PermitKey, encoded: Uint8Array): Promise<Uint8Array>;
}

/** A signer that also signs several permits by a key that the database holds. */
export interface StoredKeySigner extends PermitSigner {
  /** @throws Error if the key can't be unwrapped, as one that a remote signer holds */
  openKey(key: PermitKey): Promise<OpenKey>;
}

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
