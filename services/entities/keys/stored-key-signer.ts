import { createPrivateKey, createSecretKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { unwrap, wrap } from "../../shared/secrets/wrap.ts";
import { evmAddressOf } from "../permit-encoding/permit-signature.ts";
import type { WalletKindName } from "../schema/wallet-tables.ts";
import { evmSigner } from "./evm-signer.ts";
import type { PermitKey } from "./permit-key.ts";
import type { OpenKey, PermitSigner } from "./permit-signer.ts";

/** A private key of 32 bytes, and its EVM address or SVM public key. */
interface KeyPair {
  readonly address: Uint8Array;
  readonly secret: Uint8Array;
}

const GENERATORS: Readonly<Record<WalletKindName, () => KeyPair>> = { evm: generateEvmKey, svm: generateSvmKey };

/**
 * Signs with keys that the database holds, wrapped and bound to their UUID. They are unwrapped for each signature or batch of
 * signatures: in memory they live as short as possible.
 *
 * @param wrapKeyBytes `DerivedKeys.permitKeyWrap`
 */
export function storedKeySigner(wrapKeyBytes: Uint8Array): PermitSigner {
  const wrapKey = createSecretKey(wrapKeyBytes);
  const openKey = (key: PermitKey) => openStoredKey(wrapKey, key);
  return {
    openKey,
    async createKey(keyUuid, kind) {
      const { address, secret } = GENERATORS[kind]();
      const privateKey = wrap(wrapKey, keyUuid, secret);
      secret.fill(0);
      return { address, remote: false, privateKey };
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
async function openStoredKey(wrapKey: KeyObject, key: PermitKey): Promise<OpenKey> {
  const secret = secretOf(wrapKey, key);
  return {
    sign: await (key.kind === "evm" ? evmSigner(secret) : svmSigner(secret, key.address)),
    close: () => void secret.fill(0),
  };
}

function secretOf(wrapKey: KeyObject, { uuid, privateKey }: PermitKey): Buffer {
  const secret = unwrap(wrapKey, uuid, privateKey ?? new Uint8Array());
  if (secret !== undefined) return secret;
  throw new Error(
    `the permit key ${uuid} can't be unwrapped: KEY_ENCRYPTION_KEY is another one, or its row is damaged`,
  );
}

function svmSigner(secret: Uint8Array, publicKey: Uint8Array): OpenKey["sign"] {
  const jwk = { kty: "OKP", crv: "Ed25519", d: base64url(secret), x: base64url(publicKey) };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return (encoded) => sign(null, encoded, key);
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
