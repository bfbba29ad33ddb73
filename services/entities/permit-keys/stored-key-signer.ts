import { createPrivateKey, createSecretKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519";
import { secp256k1 } from "@noble/curves/secp256k1";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { loadFastKeccak } from "../../../common/chains/base/keccak.ts";
import { evmAddressOf } from "../../../common/chains/evm/evm-address.ts";
import { evmPermitDigest } from "../../../common/chains/evm/evm-permit.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";
import type { OpenKey, SigningKey, StoredKeySigner } from "../base/permit-signer.ts";

/** A private key of 32 bytes, and its EVM address or SVM public key. */
interface KeyPair {
  readonly address: Uint8Array;
  readonly secret: Uint8Array;
}

/** The beginning of an ed25519 key in PKCS #8, before its 32 bytes (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** The keys with which permits of a family of chains are signed. */
interface KeyScheme {
  generate(): KeyPair;
  /** Hands a secret over to the key, which erases it when it is closed. */
  open(secret: Uint8Array): OpenKey | Promise<OpenKey>;
}

const SCHEMES: Readonly<Record<ChainFamily, KeyScheme>> = {
  evm: { generate: generateEvmKey, open: evmKey },
  svm: { generate: generateSvmKey, open: svmKey },
};

/**
 * Signs with keys that the database holds, wrapped and bound to their UUID. They are unwrapped for each signature or batch of
 * signatures: in memory they live as short as possible.
 *
 * @param present `DerivedKeys.permitKeyWrap`
 * @param others that of the other `KEY_ENCRYPTION_KEY`, with which keys were wrapped before
 */
export function storedKeySigner(present: Uint8Array, ...others: readonly Uint8Array[]): StoredKeySigner {
  const wrapKey = createSecretKey(present);
  const wrapKeys = [wrapKey, ...others.map((other) => createSecretKey(other))];
  const openKey = (key: SigningKey) => openStoredKey(wrapKeys, key);
  return {
    openKey,
    async createKey(keyUuid, kind) {
      const { address, secret } = SCHEMES[kind].generate();
      try {
        return { address, remote: false, privateKey: wrap(wrapKey, keyUuid, secret) };
      } finally {
        secret.fill(0);
      }
    },
    async sign(key, encoded) {
      const open = await openKey(key);
      try {
        return open.sign(encoded);
      } finally {
        open.close();
      }
    },
  };
}

/** @throws Error if the key can't be unwrapped */
async function openStoredKey(wrapKeys: readonly KeyObject[], key: SigningKey): Promise<OpenKey> {
  const secret = secretOf(wrapKeys, key);
  try {
    return await SCHEMES[key.kind].open(secret);
  } catch (error) {
    secret.fill(0);
    throw error;
  }
}

function secretOf(wrapKeys: readonly KeyObject[], { uuid, privateKey }: SigningKey): Buffer {
  const secret = unwrapWithAny(wrapKeys, uuid, privateKey ?? new Uint8Array());
  if (secret !== undefined) return secret;
  throw new Error(
    `the permit key ${uuid} can't be unwrapped: KEY_ENCRYPTION_KEY is another one, or its row is damaged`,
  );
}

async function evmKey(secret: Uint8Array): Promise<OpenKey> {
  return { sign: await evmSigner(secret), close: () => void secret.fill(0) };
}

/** Hands a secret over to OpenSSL, whose copy goes with the key object: no other one is left. */
function svmKey(secret: Uint8Array): OpenKey {
  const pkcs8 = Buffer.concat([PKCS8_HEAD, secret]);
  try {
    let key: KeyObject | undefined = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    return {
      sign(encoded) {
        if (key === undefined) throw new Error("the key is closed");
        return sign(null, encoded, key);
      },
      close() {
        key = undefined;
      },
    };
  } finally {
    pkcs8.fill(0);
    secret.fill(0);
  }
}

function generateEvmKey(): KeyPair {
  const secret = secp256k1.utils.randomPrivateKey();
  return { secret, address: evmAddressOf(secp256k1.getPublicKey(secret, false)) };
}

/** Every 32 bytes are a secret of ed25519 (RFC 8032, section 5.1.5). */
function generateSvmKey(): KeyPair {
  const secret = Uint8Array.from(randomBytes(32));
  return { secret, address: ed25519.getPublicKey(secret) };
}

/** `v` of an EVM signature: this number and the recovery bit. */
const V_BASE = 27;

let loading: Promise<typeof import("tiny-secp256k1")> | undefined;

/**
 * Returns a function that signs encoded permits: EIP-191 over the encoding, by deterministic ECDSA (RFC 6979) with low s, as
 * r, s and v. libsecp256k1 as WebAssembly takes a third of the time of `@noble/curves`, in constant time, and leaves no copy of
 * the key in its memory.
 *
 * @param secret 32 bytes, which must stay as they are while the function is in use
 */
async function evmSigner(secret: Uint8Array): Promise<(encoded: Uint8Array) => Uint8Array> {
  // Once, as `import` takes 90 µs each time; and here, so that a process without EVM sales doesn't load its 1.2 MB.
  loading ??= load();
  const { signRecoverable } = await loading;
  return (encoded) => {
    const { signature, recoveryId } = signRecoverable(evmPermitDigest(encoded), secret);
    return Buffer.concat([signature, Buffer.of(V_BASE + recoveryId)]);
  };
}

async function load(): Promise<typeof import("tiny-secp256k1")> {
  const [secp256k1] = await Promise.all([import("tiny-secp256k1"), loadFastKeccak()]);
  return secp256k1;
}
