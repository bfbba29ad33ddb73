import { describe, expect, it } from "vitest";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";
import { TotalsCheck } from "./totals-check.ts";

const sums = new Map([["a", 100n]]);
const none = new Map<string, bigint>();

/** The results of checks at blocks whose totals exceed the sums by these amounts; `wait` if a check fails. */
function verdicts(check: TotalsCheck, surpluses: readonly bigint[]): readonly (string | undefined)[] {
  return surpluses.map((surplus, block) => {
    try {
      return check.check(sums, new Map([["a", 100n + surplus]]), `${surplus} ${block}`)?.match(/\d+ too much/)?.[0];
    } catch {
      return "wait";
    }
  });
}

describe("TotalsCheck", () => {
  it("accepts equal sums and totals", () => {
    expect(verdicts(new TotalsCheck(REFERENCE_FAMILY.names), [0n, 0n])).toEqual([undefined, undefined]);
    expect(new TotalsCheck(REFERENCE_FAMILY.names).check(none, none, "1")).toBeUndefined();
  });

  it("accepts the same difference at the third block", () => {
    expect(verdicts(new TotalsCheck(REFERENCE_FAMILY.names), [5n, 5n, 5n, 5n])).toEqual([
      "wait",
      "wait",
      "5 too much",
      "5 too much",
    ]);
  });

  it("doesn't count a block twice", () => {
    const check = new TotalsCheck(REFERENCE_FAMILY.names);
    const checkAgain = () => check.check(sums, none, "the same block");
    for (let count = 0; count < 20; count += 1) expect(checkAgain).toThrow("100 too little of token a");
  });

  it("accepts a difference that changes at each block after a while", () => {
    const surpluses = Array.from({ length: 12 }, (_, block) => BigInt(block + 1));
    const said = verdicts(new TotalsCheck(REFERENCE_FAMILY.names), surpluses);
    expect(said).toEqual([...Array(9).fill("wait"), "10 too much", "11 too much", "12 too much"]);
  });

  it("starts again once sums and totals have agreed", () => {
    const check = new TotalsCheck(REFERENCE_FAMILY.names);
    verdicts(check, [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
    expect(verdicts(check, [0n, 7n, 8n])).toEqual([undefined, "wait", "wait"]);
  });
});
