import { deriveBoth, type WithOther } from "../../../common/platform/secrets/both-keys.ts";
import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";

/** Keys derived from `KEY_ENCRYPTION_KEY` (RFC 5869), each for one purpose, and those of `KEY_ENCRYPTION_KEY_OTHER`. */
export type DerivedKeys = WithOther<OwnKeys>;

interface OwnKeys {
  /** Wraps the private signing keys (AES-256-GCM). */
  readonly signingKeyWrap: Uint8Array;
  /** The key of the HMAC over a sign-in and its one-time code. */
  readonly oneTimeCode: Uint8Array;
  /** The key of the HMAC that makes the token of a session, or of a recovery pass, of a sign-in and its code. */
  readonly codeSession: Uint8Array;
  /** The key of the HMAC that makes the successor of a refresh token. */
  readonly refreshSuccessor: Uint8Array;
  /** The key of the HMAC that hides e-mail and network addresses in the tables of counts and of known networks. */
  readonly counters: Uint8Array;
  /** The key of the HMAC in the cookie of a browser that has signed in. */
  readonly knownBrowser: Uint8Array;
  /** The key of the HMAC that makes the nonces of DPoP. */
  readonly dpopNonce: Uint8Array;
}

/** @param other `KEY_ENCRYPTION_KEY_OTHER`, whose keys only read and compare what was made before */
export function deriveKeys(keyEncryptionKey: Uint8Array, other?: Uint8Array): DerivedKeys {
  return deriveBoth(ownKeys, keyEncryptionKey, other);
}

function ownKeys(keyEncryptionKey: Uint8Array): OwnKeys {
  const derive = (purpose: string) => deriveKey(keyEncryptionKey, `tidemark.auth ${purpose}`);
  return {
    signingKeyWrap: derive("signing key wrap"),
    oneTimeCode: derive("one-time code"),
    codeSession: derive("session of a code"),
    refreshSuccessor: derive("refresh successor"),
    counters: derive("counters"),
    knownBrowser: derive("known browser"),
    dpopNonce: derive("dpop nonce"),
  };
}
