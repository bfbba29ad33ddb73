import { describe, expect, it } from "vitest";
import type { SaleAllocations } from "../base/domain/sale-allocations.ts";
import { auctionDefinition, evmSource, openState, saleOf, TOKEN, WALLET } from "../testing/samples.ts";
import { afterSetPart, requireAllocatable, setOfPart } from "./allocation-set.ts";

const UUID = "11111111-1111-4111-8111-111111111111";
const OTHER_UUID = "22222222-2222-4222-8222-222222222222";
const of = (accepted: bigint) => [{ entityId: "0".repeat(32), wallet: WALLET, token: TOKEN, accepted }];
const sums = (amount: bigint) => new Map([[TOKEN, amount]]);
const part = (number: number, last: boolean, uuid = UUID) => ({ uuid, part: number, last });

/** The state after a first part of 3. */
function begun(before?: SaleAllocations): SaleAllocations {
  const set = part(0, false);
  return afterSetPart(before, setOfPart(before, set), { set, allocations: of(3n) });
}

describe("a set of allocations", () => {
  it("is shown after its last part, with the sums of all", () => {
    const open = begun();
    expect(open).toMatchObject({
      version: 0n,
      accepted: new Map(),
      open: { version: 1n, nextPart: 1, accepted: sums(3n) },
    });
    expect(open).not.toHaveProperty("expected");
    const set = part(1, true);
    const shown = afterSetPart(open, setOfPart(open, set), { set, allocations: of(4n), totals: sums(7n) });
    expect(shown).toEqual({ version: 1n, accepted: sums(7n), expected: sums(7n) });
  });

  it("leaves the one from before shown, and has another version than an abandoned one", () => {
    const before = { version: 4n, accepted: sums(1n), expected: sums(1n) };
    const open = begun(before);
    expect(open).toMatchObject({ ...before, open: { version: 5n } });
    expect(setOfPart(open, part(0, false, OTHER_UUID))).toMatchObject({
      version: 6n,
      nextPart: 0,
      accepted: new Map(),
    });
  });

  it.each<[string, ReturnType<typeof part>, string]>([
    ["a part that was applied", part(0, false), "continues with part 1, not 0"],
    ["a part too many", part(2, true), "continues with part 1, not 2"],
    ["a later part of another set", part(1, true, OTHER_UUID), "isn't open; begin with part 0"],
  ])("refuses %s", (_, next, message) => {
    expect(() => setOfPart(begun(), next)).toThrow(message);
  });

  it("refuses sums that aren't its totals, and a last part without totals", () => {
    const open = begun();
    const set = part(1, true);
    const last = { set, allocations: [] };
    const wrong = () => afterSetPart(open, setOfPart(open, set), { ...last, totals: sums(4n) });
    expect(wrong).toThrow(`the allocations of token ${TOKEN} add up to 3, and their total is 4`);
    expect(() => afterSetPart(open, setOfPart(open, set), last)).toThrow("totals: are required in the last part");
  });
});

it("is for settled sales without a source", () => {
  const settled = { ...openState, status: "settled" as const };
  expect(() => requireAllocatable(saleOf(auctionDefinition), settled)).not.toThrow();
  expect(() => requireAllocatable(saleOf(auctionDefinition), openState)).toThrow("the sale is open");
  const chainFed = saleOf({ ...auctionDefinition, source: evmSource });
  expect(() => requireAllocatable(chainFed, settled)).toThrow("the sale's contract decides");
});
