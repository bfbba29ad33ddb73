import { describe, expect, it } from "vitest";
import { addressOf, decimalsOf, integerOf, positiveNumber, wholeNumber } from "./public-values.ts";

describe("values of somebody who is checked", () => {
  it("are taken where they are in bounds", () => {
    const largest = "9".repeat(240);
    expect(wholeNumber("n", "0")).toBe(0n);
    expect(positiveNumber("n", largest)).toBe(BigInt(largest));
    expect(decimalsOf("n", 36)).toBe(36);
    expect(integerOf("n", 2 ** 53 - 1)).toBe(2n ** 53n - 1n);
    expect(addressOf("n", `0x${"ab".repeat(20)}`, "evm")).toBe(`0x${"ab".repeat(20)}`);
    const mint = "So11111111111111111111111111111111111111112";
    expect(addressOf("n", mint, "svm")).toBe(mint);
  });

  it.each(["", "-1", "1.5", "01", "0x1", "1e3", "9".repeat(241), 1, null])("refuse %j as a whole number", (value) => {
    expect(() => wholeNumber("Amount", value)).toThrow("Amount is no whole number");
  });

  it.each([-1, 37, 1.5, 1e9, "6", null, Number.NaN])("refuse %j as decimals", (value) => {
    expect(() => decimalsOf("Decimals", value)).toThrow("Decimals isn't a number of decimals");
  });

  it.each([
    [2 ** 53, "evm"],
    [`0x${"AB".repeat(20)}`, "evm"],
    [`0x${"ab".repeat(20)}`, "svm"],
  ] as const)("refuse %j as an address of kind %s", (value, kind) => {
    expect(() => addressOf("Address", value, kind)).toThrow("Address is no address");
  });

  it("refuse zero where there must be something, and fractions of integers", () => {
    expect(() => positiveNumber("n", "0")).toThrow("n is 0");
    expect(() => integerOf("n", 1.5)).toThrow("n is no whole number");
    expect(() => integerOf("n", 2 ** 53)).toThrow("n is no whole number");
  });
});
