import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatWallet, isWallet, parseWallet, readWallet, walletKey } from "./wallet.ts";

// From the test cases of EIP-55.
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];
const SVM = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

describe("an EVM wallet", () => {
  it.each(CHECKSUMMED)("is %s, with the checksum and without", (address) => {
    for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
      expect(formatWallet(parseWallet("evm", text, "wallet"))).toBe(address);
    }
  });

  it("has another checksum for a letter of the wrong case", () => {
    const text = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    expect(readWallet("evm", text)).toMatchObject({ rule: "wallet.checksum" });
    expect(() => parseWallet("evm", text, "address")).toThrow("address: must carry a right EIP-55 checksum");
  });

  it.each(["", "0x", "0x12", `${CHECKSUMMED[0]}0`, `0X${"1".repeat(40)}`, `0x${"g".repeat(40)}`, SVM])(
    "isn't %j",
    (text) => {
      expect(readWallet("evm", text)).toMatchObject({ rule: "wallet.form" });
    },
  );
});

describe("an SVM wallet", () => {
  it("is the base58 of 32 bytes and of no other number", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (bytes) => {
        const read = readWallet("svm", base58.encode(bytes));
        expect(isWallet(read)).toBe(bytes.length === 32);
        if (isWallet(read)) expect(formatWallet(read)).toBe(base58.encode(bytes));
      }),
    );
  });

  it.each(["", SVM.slice(2), SVM.replace("E", "0"), ` ${SVM.slice(1)}`, "1".repeat(1_000_000), CHECKSUMMED[0] ?? ""])(
    "isn't %.50j",
    (text) => {
      expect(readWallet("svm", text)).toMatchObject({ rule: "wallet.form" });
    },
  );
});

it("has a key of its kind and bytes, whatever the case of the text", () => {
  const key = (text: string) => walletKey(parseWallet("evm", text, ""));
  const [first = "", second = ""] = CHECKSUMMED;
  expect(key(first)).toBe(key(first.toLowerCase()));
  expect(key(first)).not.toBe(key(second));
  const bytes = Buffer.alloc(32);
  expect(walletKey({ kind: "svm", bytes })).not.toBe(walletKey({ kind: "evm", bytes }));
});
