import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SaleRow, saleRow, saleRows } from "../../../../test/support/chains/evm-chain.ts";
import { encodeRows } from "../../../../test/support/chains/evm-sale-abi.ts";
import { decodeRows } from "./decode-rows.ts";

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constant(2n ** 64n - 1n));
const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.nat().map(BigInt),
  fc.constantFrom(2n ** 64n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 192n, 2n ** 256n - 1n),
);
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => Buffer.from(value).toString("hex"));
const address = hex(20).map((digits) => `0x${digits}`);

const row: fc.Arbitrary<SaleRow> = fc.record({
  commitmentId: hex(32),
  entityId: hex(16),
  createdAtSeconds: uint64,
  priceTicks: uint64,
  lockup: fc.boolean(),
  refunded: fc.boolean(),
  amounts: fc.array(fc.record({ wallet: address, token: address, amount: uint256 }), { maxLength: 5 }),
  extraData: fc.uint8Array({ maxLength: 70 }),
});

function word(value: number | bigint): string {
  return value.toString(16).padStart(64, "0");
}

/** The words of an encoding, for tests that change one. */
function wordsOf(encoded: string): string[] {
  return encoded.slice(2).match(/.{64}/g) ?? [];
}

function withWord(encoded: string, index: number, value: string): string {
  return `0x${wordsOf(encoded).with(index, value).join("")}`;
}

describe("decodeRows", () => {
  it("decodes the output of a general encoder", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), fc.nat(), (rows, from) => {
        const expected = rows.map((each, index) => ({ ...each, sourceIndex: BigInt(from + index) }));
        expect(decodeRows(encodeRows(rows), BigInt(from), rows.length)).toEqual(expected);
      }),
    );
  });

  it("refuses any other number of rows", () => {
    for (const count of [0, 2, 4]) {
      expect(() => decodeRows(encodeRows(saleRows(3)), 0n, count)).toThrow(`3 rows instead of ${count}`);
    }
  });

  it("refuses every answer that was cut off", () => {
    const whole = encodeRows(saleRows(2));
    for (let length = 0; length < whole.length - 64; length += 1) {
      expect(() => decodeRows(whole.slice(0, length), 0n, 2)).toThrow(RangeError);
    }
  });

  // Words of one row: 0 array, 1 count, 2 offset, 3 ID, 4 entity, 5 time, 6 price, 7 lockup, 8 refunded, 9 and 10 offsets.
  it.each([
    ["an offset far outside", 2, "f".repeat(64)],
    ["an offset outside", 2, word(1 << 20)],
    ["more rows than bytes", 1, word(2n ** 40n)],
    ["an entity of more than 16 bytes", 4, "1".repeat(33).padEnd(64, "0")],
    ["a time of more than 64 bits", 5, word(2n ** 64n)],
    ["a price of more than 64 bits", 6, word(2n ** 200n)],
    ["a flag that is neither 0 nor 1", 7, word(2)],
    ["too many amounts", 11, word(1000)],
    ["a wallet of more than 20 bytes", 12, word(2n ** 160n)],
    ["a token of more than 20 bytes", 13, word(2n ** 255n)],
    ["no hex digits", 12, "zz".padStart(64, "0")],
  ])("refuses %s", (_, index, value) => {
    const encoded = encodeRows([saleRow(2)]);
    expect(wordsOf(encoded)[11]).toBe(word(2));
    expect(() => decodeRows(withWord(encoded, index, value), 0n, 1)).toThrow(RangeError);
  });

  it("refuses rows that share their bytes, by which a short answer could fill the memory", () => {
    const encoded = wordsOf(encodeRows(saleRows(50)));
    const [first] = encoded.slice(2);
    const shared = encoded.map((value, index) => (index >= 2 && index < 52 ? (first ?? "") : value)).slice(0, 400);
    expect(() => decodeRows(`0x${shared.join("")}`, 0n, 50)).toThrow("overlap");
  });

  it("never answers with anything but rows or a RangeError", () => {
    const encoded = encodeRows(saleRows(3));
    fc.assert(
      fc.property(fc.nat(wordsOf(encoded).length - 1), hex(32), (index, value) => {
        try {
          expect(decodeRows(withWord(encoded, index, value), 0n, 3)).toHaveLength(3);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
