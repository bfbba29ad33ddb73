import { encodeFunctionData, parseAbi } from "viem/utils";
import { expect, it } from "vitest";
import { isMagicValue, isValidSignatureData } from "./check-evm-account-signature.ts";

const abi = parseAbi(["function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)"]);
const DIGEST = `0x${"d1".repeat(32)}` as const;

it.each([0, 1, 31, 32, 33, 65, 8_192])("encodes a signature of %i bytes as the ABI does", (length) => {
  const signature = `0x${"5a".repeat(length)}` as const;
  const expected = encodeFunctionData({ abi, functionName: "isValidSignature", args: [DIGEST, signature] });
  expect(isValidSignatureData(DIGEST, signature)).toBe(expected);
});

it.each([
  ["the magic value", `0x1626ba7e${"0".repeat(56)}`, true],
  ["in capitals", `0x1626BA7E${"0".repeat(56)}`, true],
  ["and another word", `0x1626ba7e${"0".repeat(120)}`, false],
  ["with other bytes in its word", `0x1626ba7e${"0".repeat(55)}1`, false],
  ["without its word", "0x1626ba7e", false],
  ["at the word's end", `0x${"0".repeat(56)}1626ba7e`, false],
  ["of failure", `0xffffffff${"0".repeat(56)}`, false],
  ["nothing", "0x", false],
  ["no text", null, false],
])("takes %s for what it is", (_, answer, isMagic) => {
  expect(isMagicValue(answer)).toBe(isMagic);
});
