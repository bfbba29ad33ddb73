import { expect, it } from "vitest";
import { hasRightEvmChecksum } from "./evm-address.ts";

// From the test cases of EIP-55.
const checksummed = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

it.each(checksummed)("takes %s", (address) => {
  expect(hasRightEvmChecksum(address)).toBe(true);
});

it("takes digits of one case, which carry no checksum", () => {
  for (const address of checksummed) {
    expect(hasRightEvmChecksum(address.toLowerCase())).toBe(true);
    expect(hasRightEvmChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
  }
});

it("refuses a letter of the wrong case", () => {
  expect(hasRightEvmChecksum("0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBe(false);
  expect(hasRightEvmChecksum("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD")).toBe(false);
});
