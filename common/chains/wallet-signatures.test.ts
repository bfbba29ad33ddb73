import { generateKeyPairSync, sign } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { hexToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hashMessage } from "viem/utils";
import { describe, expect, it } from "vitest";
import { isForUndeployed, personalDigest } from "./evm/personal-signature.ts";
import { parseWallet, type Wallet } from "./wallet.ts";
import { isSignedByKey } from "./wallet-signatures.ts";

const TEXT = "auth.example wants you to sign in\nä";
const ACCOUNT = privateKeyToAccount(`0x${"0a".repeat(32)}`);
const WALLET = parseWallet("evm", ACCOUNT.address, "wallet");
const OTHER: Wallet = { kind: "evm", bytes: new Uint8Array(20).fill(1) };

const signed = async (text = TEXT) => hexToBytes(await ACCOUNT.signMessage({ message: text }));
const withV = (signature: Uint8Array, v: number) => Uint8Array.of(...signature.subarray(0, 64), v);

function svmSigned(text = TEXT) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const bytes = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  return {
    wallet: { kind: "svm", bytes } as const,
    signature: new Uint8Array(sign(null, Buffer.from(text), privateKey)),
  };
}

it("hashes a text as EVM wallets do", () => {
  expect(personalDigest(TEXT)).toEqual(hexToBytes(hashMessage(TEXT)));
});

describe("an EVM signature", () => {
  it("is that of the wallet's key, with v from 27 or from 0", async () => {
    const signature = await signed();
    expect(isSignedByKey(WALLET, TEXT, signature)).toBe(true);
    expect(isSignedByKey(WALLET, TEXT, withV(signature, (signature[64] ?? 0) - 27))).toBe(true);
  });

  it("isn't one of another text, of another wallet, or with another v", async () => {
    const signature = await signed();
    expect(isSignedByKey(WALLET, `${TEXT} `, signature)).toBe(false);
    expect(isSignedByKey(OTHER, TEXT, signature)).toBe(false);
    for (const v of [2, 26, 29, 55 - (signature[64] ?? 0), 255]) {
      expect(isSignedByKey(WALLET, TEXT, withV(signature, v))).toBe(false);
    }
  });

  it("isn't one that somebody derived from it (high s)", async () => {
    const signature = await signed();
    const { r, s } = secp256k1.Signature.fromCompact(signature.subarray(0, 64));
    const high = new secp256k1.Signature(r, secp256k1.CURVE.n - s);
    const derived = withV(high.toCompactRawBytes(), 55 - (signature[64] ?? 0));
    expect(
      high
        .addRecoveryBit((derived[64] ?? 27) - 27)
        .recoverPublicKey(personalDigest(TEXT))
        .toHex(),
    ).toBe(
      secp256k1.Signature.fromCompact(signature.subarray(0, 64))
        .addRecoveryBit((signature[64] ?? 27) - 27)
        .recoverPublicKey(personalDigest(TEXT))
        .toHex(),
    );
    expect(isSignedByKey(WALLET, TEXT, derived)).toBe(false);
  });

  it.each([
    ["of zeros", new Uint8Array(65)],
    ["of ones", new Uint8Array(65).fill(255)],
    ["that is too short", new Uint8Array(64).fill(1)],
    ["that is empty", new Uint8Array()],
    ["that is large", new Uint8Array(8_192).fill(1)],
  ])("isn't one %s", (_, signature) => {
    expect(isSignedByKey(WALLET, TEXT, signature)).toBe(false);
  });
});

describe("an SVM signature", () => {
  it("is that of the wallet's key", () => {
    const { wallet, signature } = svmSigned();
    expect(isSignedByKey(wallet, TEXT, signature)).toBe(true);
    expect(isSignedByKey(wallet, `${TEXT} `, signature)).toBe(false);
    expect(isSignedByKey(svmSigned().wallet, TEXT, signature)).toBe(false);
    expect(isSignedByKey(wallet, TEXT, signature.subarray(1))).toBe(false);
  });

  it("isn't one that somebody derived from it (s plus the group's order)", () => {
    const { wallet, signature } = svmSigned();
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + order;
    const high = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
    expect(isSignedByKey(wallet, TEXT, Uint8Array.of(...signature.subarray(0, 32), ...high))).toBe(false);
  });

  it("isn't one for a key of small order, for which anybody can sign", () => {
    const identity = Uint8Array.of(1, ...new Uint8Array(31));
    const signature = Uint8Array.of(...identity, ...new Uint8Array(32));
    expect(isSignedByKey({ kind: "svm", bytes: identity }, TEXT, signature)).toBe(false);
    expect(isSignedByKey({ kind: "svm", bytes: new Uint8Array(32) }, TEXT, new Uint8Array(64))).toBe(false);
  });
});

it("recognises a signature for an account that isn't deployed", () => {
  const wrapped = Uint8Array.of(1, 2, ...Buffer.from("6492".repeat(16), "hex"));
  expect([wrapped, wrapped.subarray(0, -1), new Uint8Array(65)].map(isForUndeployed)).toEqual([true, false, false]);
});
