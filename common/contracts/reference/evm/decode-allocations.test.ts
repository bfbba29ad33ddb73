import { describe, expect, it } from "vitest";
import { saleRow, TOKEN } from "../../../../test/support/chains/evm-chain.ts";
import { encodeAllocations } from "../../../../test/support/chains/evm-sale-abi.ts";
import { decodeAllocations } from "./decode-allocations.ts";

const WALLET = saleRow(1).amounts[0]?.wallet ?? "";
const accepted = [{ wallet: WALLET, token: TOKEN, amount: 2n ** 256n - 1n }];
const answer = encodeAllocations([saleRow(1, { accepted }), saleRow(2, { amounts: [] })]);

describe("decodeAllocations", () => {
  it("decodes what an independent encoder makes, zeros included", () => {
    const [first, second] = decodeAllocations(answer, 2);
    expect(first).toEqual({
      entityId: saleRow(1).entityId,
      commitmentId: saleRow(1).commitmentId,
      accepted: [accepted[0], { ...saleRow(1).amounts[1], amount: 0n }],
    });
    const { entityId, commitmentId } = saleRow(2);
    expect(second).toEqual({ entityId, commitmentId, accepted: [] });
  });

  it.each([
    ["fewer rows", answer, 3],
    ["more rows", answer, 1],
    ["nothing", "0x", 0],
    ["half a word", answer.slice(0, -2), 2],
    ["an early end", answer.slice(0, -64), 2],
    ["a text", "allocations", 0],
  ])("refuses %s", (_, given, count) => {
    expect(() => decodeAllocations(given, count)).toThrow(RangeError);
  });

  it("refuses rows that overlap, which could make a huge result of a short answer", () => {
    const word = (value: number) => value.toString(16).padStart(64, "0");
    const amounts = Array.from({ length: 8 }, () => word(7).repeat(3)).join("");
    const row = [`${"ab".repeat(16)}${"0".repeat(32)}`, word(64), word(8), amounts].join("");
    const rows = 40;
    const offsets = Array.from({ length: rows }, () => word(32 * rows)).join("");
    expect(() => decodeAllocations(`0x${word(32)}${word(rows)}${offsets}${row}`, rows)).toThrow(/overlap/);
  });
});
