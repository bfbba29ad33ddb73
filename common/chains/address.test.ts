import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKind, parseAddress, parseEvmAddress, parseSvmAddress } from "./address.ts";

const evm = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const svm = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const systemProgram = "11111111111111111111111111111111";

describe("EVM addresses", () => {
  it("come out in lower case, whatever their checksum", () => {
    expect(parseEvmAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")).toBe(evm);
    expect(parseEvmAddress(`0x${evm.slice(2).toUpperCase()}`)).toBe(evm);
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
    expect(parseEvmAddress(text)).toBeUndefined();
  });
});

describe("SVM addresses", () => {
  it("are taken as they are", () => {
    expect(parseSvmAddress(svm)).toBe(svm);
    expect(parseSvmAddress(systemProgram)).toBe(systemProgram);
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
    expect(parseSvmAddress(text)).toBeUndefined();
  });

  it("are the base58 of 32 bytes and of no other number", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (bytes) => {
        const text = base58.encode(bytes);
        expect(parseSvmAddress(text)).toBe(bytes.length === 32 ? text : undefined);
      }),
    );
  });

  it("have one spelling only", () => {
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 43, maxLength: 44 }), (text) => {
        fc.pre(parseSvmAddress(text) !== undefined);
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
    expect(addressKind(text)).toBe(kind);
  });

  it("decides how it is read", () => {
    expect(parseAddress("evm", evm.replace("b", "B"))).toBe(evm);
    expect(parseAddress("svm", svm)).toBe(svm);
    expect(parseAddress("evm", svm)).toBeUndefined();
    expect(parseAddress("svm", evm)).toBeUndefined();
  });
});
