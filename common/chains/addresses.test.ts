import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ADDRESSES, addressFamily } from "./addresses.ts";

const evm = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const svm = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const systemProgram = "11111111111111111111111111111111";

describe("EVM addresses", () => {
  it("come out in lower case, whatever their checksum", () => {
    expect(ADDRESSES.evm.canonical("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")).toBe(evm);
    expect(ADDRESSES.evm.canonical(`0x${evm.slice(2).toUpperCase()}`)).toBe(evm);
  });

  it.each([
    "",
    "0x",
    evm.slice(2),
    evm.replace("0x", "0X"),
    evm.slice(0, -1),
    `${evm}0`,
    `${evm}\n`,
    ` ${evm}`,
    evm.replace("b", "g"),
    svm,
  ])("aren't %j", (text) => {
    expect(ADDRESSES.evm.canonical(text)).toBeUndefined();
  });
});

describe("SVM addresses", () => {
  it("are taken as they are", () => {
    expect(ADDRESSES.svm.canonical(svm)).toBe(svm);
    expect(ADDRESSES.svm.canonical(systemProgram)).toBe(systemProgram);
  });

  it.each([
    "",
    systemProgram.slice(1),
    `${systemProgram}1`,
    svm.slice(2),
    `1${svm}`,
    svm.replace("E", "0"),
    svm.replace("E", "l"),
    ` ${svm.slice(1)}`,
    "z".repeat(44),
    "1".repeat(1_000_000),
    evm,
  ])("aren't %.50j", (text) => {
    expect(ADDRESSES.svm.canonical(text)).toBeUndefined();
  });

  it("are the base58 of 32 bytes and of no other number", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (bytes) => {
        const text = base58.encode(bytes);
        expect(ADDRESSES.svm.canonical(text)).toBe(bytes.length === 32 ? text : undefined);
      }),
    );
  });

  it("have one spelling only", () => {
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 43, maxLength: 44 }), (text) => {
        fc.pre(ADDRESSES.svm.canonical(text) !== undefined);
        expect(base58.encode(base58.decode(text))).toBe(text);
      }),
    );
  });
});

describe("the kind of an address", () => {
  it.each([
    [evm, "evm"],
    [svm, "svm"],
    ["0x12", undefined],
  ])("of %s is %s", (text, kind) => {
    expect(addressFamily(text)).toBe(kind);
  });

  it("decides how it is read", () => {
    expect(ADDRESSES.evm.canonical(evm.replace("b", "B"))).toBe(evm);
    expect(ADDRESSES.svm.canonical(svm)).toBe(svm);
    expect(ADDRESSES.evm.canonical(svm)).toBeUndefined();
    expect(ADDRESSES.svm.canonical(evm)).toBeUndefined();
  });
});
