import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { UINT64_MAX, UINT256_MAX } from "../../../common/sale/definition/uint.ts";
import { TOKEN, WALLET } from "../testing/samples.ts";
import { amountsOfText, bigintOf, bytesOfTick, textOfAmounts, tickOfBytes } from "./encoding.ts";

const UUID = "01234567-89ab-4cde-8f01-23456789abcd";
const ticks = fc.bigInt({ min: 0n, max: UINT64_MAX });

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

  it("sort as bytes as they do as numbers", () => {
    fc.assert(
      fc.property(ticks, ticks, (left, right) => {
        expect(Buffer.compare(bytesOfTick(left), bytesOfTick(right)) < 0).toBe(left < right);
      }),
    );
  });

  it("that are no uint64 throw", () => {
    expect(() => bytesOfTick(UINT64_MAX + 1n)).toThrow(RangeError);
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
