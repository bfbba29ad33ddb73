import { describe, expect, it } from "vitest";
import { type AnsweredTerms, scheduleCode, termsAnswer } from "../../../test/support/chains/auction-answers.ts";
import { Q96 } from "../../../test/support/chains/continuous-auction.ts";
import { decodeTerms } from "./decode-terms.ts";

const ZERO = `0x${"0".repeat(40)}`;

describe("an auction's terms", () => {
  it("are decoded, with what holds at the block", () => {
    const steps = [
      { mps: 0n, blocks: 2n ** 40n - 2n },
      { mps: 5_000_000n, blocks: 2n },
    ];
    const answer = termsAnswer({ endBlock: 100n + 2n ** 40n, isSince1_1: true, steps: scheduleCode(steps) });
    expect(decodeTerms(answer)).toEqual({
      ownBlockNumber: 100n,
      awaitsTokens: false,
      terms: {
        version: "1.1.0",
        token: `0x${"70".repeat(20)}`,
        currency: ZERO,
        totalSupply: 1_000n,
        startBlock: 100n,
        endBlock: 100n + 2n ** 40n,
        claimBlock: 115n,
        floorPrice: Q96,
        tickSpacing: Q96,
        validationHook: ZERO,
        steps,
      },
    });
    expect(decodeTerms(termsAnswer({ awaitsTokens: true }))).toMatchObject({
      awaitsTokens: true,
      terms: { version: "1.0.0" },
    });
  });

  it.each<[string, Partial<AnsweredTerms>, string]>([
    ["doesn't begin with a zero byte", { steps: "0x01" }, "isn't a zero byte and steps of 8"],
    ["is empty", { steps: "0x" }, "isn't a zero byte and steps of 8"],
    ["ends within a step", { steps: `0x00${"00".repeat(7)}` }, "isn't a zero byte and steps of 8"],
    ["has too few blocks", { endBlock: 111n }, "issues 10000000 of 10000000 in 10 of 11 blocks"],
    [
      "issues too little",
      { steps: scheduleCode([{ mps: 999_999n, blocks: 10n }]) },
      "issues 9999990 of 10000000 in 10 of 10 blocks",
    ],
    ["ends before it begins", { endBlock: 99n }, "in 10 of -1 blocks"],
  ])("are refused where the schedule %s", (_, change, problem) => {
    expect(() => decodeTerms(termsAnswer(change))).toThrow(problem);
  });

  it("are refused where the answer is cut", () => {
    const answer = termsAnswer();
    for (let length = 2; length < answer.length; length += 64) {
      expect(() => decodeTerms(answer.slice(0, length))).toThrow(RangeError);
    }
  });
});
