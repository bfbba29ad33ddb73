import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";

/** A key that was just made. */
export interface NewPermitKey {
  /** The address of the key. */
  readonly address: Uint8Array;
  readonly remote: boolean;
  /** The private key, wrapped for storage; absent if a remote signer holds it. */
  readonly privateKey?: Uint8Array;
}

/** The part of a sale's key that signing needs. */
export interface SigningKey extends NewPermitKey {
  readonly uuid: string;
  readonly kind: ChainFamily;
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
   * @returns the signature as the contracts of the key's chain take it
   * @throws ServiceError `unavailable`
   */
  sign(key: SigningKey, encoded: Uint8Array): Promise<Uint8Array>;
}

/** A signer that also signs several permits by a key that the database holds. */
export interface StoredKeySigner extends PermitSigner {
  /** @throws Error if the key can't be unwrapped, as one that a remote signer holds */
  openKey(key: SigningKey): Promise<OpenKey>;
}
