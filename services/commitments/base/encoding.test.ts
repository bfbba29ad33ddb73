import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { UINT64_MAX, UINT256_MAX } from "../../../common/sale/definition/uint.ts";
import { TOKEN, WALLET } from "../testing/samples.ts";
import { amountsOfText, bigintOf, bytesOfTick, textOfAmounts, tickOfBytes } from "./encoding.ts";

const UUID = "01234567-89ab-4cde-8f01-23456789abcd";
const ticks = fc.oneof(fc.bigInt({ min: 0n, max: UINT64_MAX }), fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }));

describe("bytes", () => {
  it("are a Buffer, which mysql2 escapes as bytes", () => {
    expect(bytesOfHex("00ff")).toEqual(Buffer.from([0, 255]));
  });

  it("come from a UUID and go back", () => {
    expect(bytesOfHex(UUID)).toHaveLength(16);
    expect(uuidFromBytes(bytesOfHex(UUID))).toBe(UUID);
  });

  it("are read from a view into a larger buffer, which drivers return", () => {
    const view = new Uint8Array(Uint8Array.of(9, 1, 2, 3, 4, 5, 6, 7, 8, 9).buffer, 1, 8);
    expect(hexOfBytes(view)).toBe("0102030405060708");
    expect(tickOfBytes(view)).toBe(0x0102030405060708n);
  });
});

describe("ticks", () => {
  it("survive exactly, the largest included", () => {
    expect(hexOfBytes(bytesOfTick(UINT64_MAX))).toBe("f".repeat(16));
    fc.assert(fc.property(ticks, (tick) => tickOfBytes(bytesOfTick(tick)) === tick));
  });

  it.each([
    [UINT64_MAX, "f".repeat(16)],
    [UINT64_MAX + 1n, `${"0".repeat(23)}1${"0".repeat(16)}`],
    [2n ** 160n - 1n, "f".repeat(40)],
  ])("%i have 8 bytes, or 20 where they don't fit", (tick, hex) => {
    expect(hexOfBytes(bytesOfTick(tick))).toBe(hex);
  });

  it("of more than 160 bits, or below 0, throw", () => {
    expect(() => bytesOfTick(2n ** 160n)).toThrow(RangeError);
    expect(() => bytesOfTick(-1n)).toThrow(RangeError);
  });
});

describe("integers", () => {
  it("are exact from either driver", () => {
    expect([bigintOf("9223372036854775807"), bigintOf(-5n)]).toEqual([2n ** 63n - 1n, -5n]);
  });
});

describe("amounts", () => {
  it("survive exactly, in their order", () => {
    const amounts = [UINT256_MAX, 0n, 5n].map((amount) => ({ wallet: WALLET, token: TOKEN, amount }));
    expect(amountsOfText(textOfAmounts(amounts))).toEqual(amounts);
    expect(amountsOfText(textOfAmounts([]))).toEqual([]);
  });

  it("are text in JSON, which no parser rounds", () => {
    expect(textOfAmounts([{ wallet: "w", token: "t", amount: 2n ** 53n + 1n }])).toBe('[["w","t","9007199254740993"]]');
  });
});
