import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { unwrap, wrap } from "../../shared/secrets/wrap.ts";
import { evmPermitDigest } from "../permit-encoding/evm-permit.ts";
import { evmAddressOf } from "../permit-encoding/permit-signature.ts";
import type { WalletKindName } from "../schema/wallet-tables.ts";
import type { PermitKey } from "./permit-key.ts";
import type { PermitSigner } from "./permit-signer.ts";

/** A private key of 32 bytes, and its EVM address or SVM public key. */
interface KeyPair {
  readonly address: Uint8Array;
  readonly secret: Uint8Array;
}

/** `v` of an EVM signature: this number and the recovery bit. */
const V_BASE = 27;

const GENERATORS: Readonly<Record<WalletKindName, () => KeyPair>> = { evm: generateEvmKey, svm: generateSvmKey };

/**
 * Signs with keys that the database holds, wrapped and bound to their UUID. They are unwrapped for each signature: in memory
 * they live as short as possible.
 *
 * @param wrapKey `DerivedKeys.permitKeyWrap`
 */
export function storedKeySigner(wrapKey: Uint8Array): PermitSigner {
  return {
    async createKey(keyUuid, kind) {
      const { address, secret } = GENERATORS[kind]();
      const privateKey = wrap(wrapKey, keyUuid, secret);
      secret.fill(0);
      return { address, remote: false, privateKey };
    },
    async sign(key, encoded) {
      const secret = secretOf(wrapKey, key);
      try {
        return key.kind === "evm" ? signEvm(secret, encoded) : signSvm(secret, key.address, encoded);
      } finally {
        secret.fill(0);
      }
    },
  };
}

function secretOf(wrapKey: Uint8Array, { uuid, privateKey }: PermitKey): Buffer {
  const secret = unwrap(wrapKey, uuid, privateKey ?? new Uint8Array());
  if (secret !== undefined) return secret;
  throw new Error(
    `the permit key ${uuid} can't be unwrapped: KEY_ENCRYPTION_KEY is another one, or its row is damaged`,
  );
}

/** EIP-191 over the encoding, by deterministic ECDSA (RFC 6979) with low s. */
function signEvm(secret: Uint8Array, encoded: Uint8Array): Uint8Array {
  const signature = secp256k1.sign(evmPermitDigest(encoded), secret, { lowS: true });
  return Buffer.concat([signature.toCompactRawBytes(), Buffer.of(V_BASE + signature.recovery)]);
}

function signSvm(secret: Uint8Array, publicKey: Uint8Array, encoded: Uint8Array): Uint8Array {
  const jwk = { kty: "OKP", crv: "Ed25519", d: base64url(secret), x: base64url(publicKey) };
  return sign(null, encoded, createPrivateKey({ key: jwk, format: "jwk" }));
}

function generateEvmKey(): KeyPair {
  const secret = secp256k1.utils.randomPrivateKey();
  return { secret, address: evmAddressOf(secp256k1.getPublicKey(secret, false)) };
}

function generateSvmKey(): KeyPair {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { secret: Buffer.from(d, "base64url"), address: Buffer.from(x, "base64url") };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
