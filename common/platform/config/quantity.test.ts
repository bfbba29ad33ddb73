import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BYTE_UNITS, DURATION_UNITS, parseQuantity } from "./quantity.ts";

describe("parseQuantity", () => {
  it.each([
    ["0ms", 0],
    ["250ms", 250],
    ["1s", 1_000],
    ["10m", 600_000],
    ["24h", 86_400_000],
    ["30d", 2_592_000_000],
  ])("reads the duration %s as %d ms", (text, expected) => {
    expect(parseQuantity(text, DURATION_UNITS)).toBe(expected);
  });

  it.each([
    ["512", 512],
    ["512B", 512],
    ["64KiB", 65_536],
    ["32MiB", 33_554_432],
    ["2GiB", 2_147_483_648],
  ])("reads the size %s as %d bytes", (text, expected) => {
    expect(parseQuantity(text, BYTE_UNITS)).toBe(expected);
  });

  it.each([
    "",
    "5",
    "s",
    "1.5h",
    "-1s",
    "+1s",
    " 1s",
    "1s ",
    "1 s",
    "1S",
    "1e3s",
    "1h30m",
    "1constructor",
    "9007199254740993ms",
  ])("refuses the duration %j", (text) => {
    expect(parseQuantity(text, DURATION_UNITS)).toBeUndefined();
  });

  it("never answers a number that isn't exact", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.constantFrom(...Object.entries(BYTE_UNITS)),
        (n, [unit, factor]) => {
          const exact = n * BigInt(factor);
          const expected = exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : undefined;
          expect(parseQuantity(`${n}${unit}`, BYTE_UNITS)).toBe(expected);
        },
      ),
    );
  });
});
