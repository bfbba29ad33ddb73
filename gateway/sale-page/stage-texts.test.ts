import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import { timeline } from "../../common/sale/state/timeline.ts";
import { awaitedText } from "./browser/countdown.js";
import { type StagedSale, stageTexts } from "./browser/stage-texts.js";

const TIMES = { OpensAt: "2026-12-01T12:00:00Z", ClosesAt: "2026-12-04T12:00:00Z" };
const BEFORE = Date.parse("2026-11-30T12:00:00Z");
const DURING = Date.parse("2026-12-02T12:00:00Z");
const AFTER = Date.parse("2027-01-01T12:00:00Z");
const BY_TIMES = "By the times that its founder has announced.";
const SETTLED_TEXT = "The sale is over. What was not accepted is paid back by its contract.";

/** Everything that a page says of where a sale is. */
function said(sale: Omit<StagedSale, "Pricing"> & Partial<StagedSale>, now: number): readonly string[] {
  const { status, title, text } = stageTexts({ Pricing: "auction", ...sale }, now);
  const { awaited } = timeline(sale, now);
  return [status, title, text, awaited === undefined ? "" : awaitedText(awaited.name)];
}

describe("what a page says of where a sale is", () => {
  it.each([
    ["pre_open", "Upcoming", "Not open yet", "Nobody can bid yet.", "Announced to open"],
    [
      "commitment",
      "Open",
      "Bidding is open",
      "You can bid, and raise your bid as long as bidding is open.",
      "Announced to close",
    ],
    ["closed", "Closed", "Bidding has closed", "No bid can be made or raised any more. Cancelling comes next.", ""],
    ["cancellation", "Closed", "Time to cancel", "Bidding is over. Whoever has bid can still cancel.", ""],
    [
      "settlement",
      "Closed",
      "Being settled",
      "Who gets how much is being worked out. Nothing can be changed any more.",
      "",
    ],
    ["done", "Settled", "Settled", SETTLED_TEXT, ""],
  ] as const)("is the same at any time in an auction's stage %s", (Stage, ...words) => {
    for (const now of [BEFORE, DURING, AFTER]) expect(said({ Status: "open", Stage, ...TIMES }, now)).toEqual(words);
  });

  it.each([
    ["pre_open", "Upcoming", "Not open yet", "Nobody can commit yet."],
    ["commitment", "Open", "The sale is open", "You can commit, and add to it as long as the sale is open."],
    ["closed", "Closed", "The sale has closed", "Nobody can commit any more. Cancelling comes next."],
    ["cancellation", "Closed", "Time to cancel", "Nobody can commit any more. Whoever has committed can still cancel."],
    [
      "settlement",
      "Closed",
      "Being settled",
      "Who gets how much is being worked out. Nothing can be changed any more.",
    ],
    ["done", "Settled", "Settled", SETTLED_TEXT],
  ] as const)("speaks of commitments in the stage %s of a sale at a fixed price", (Stage, ...words) => {
    expect(said({ Status: "open", Stage, Pricing: "fixed" }, DURING)).toEqual([...words, ""]);
  });

  it.each([
    ["auction", BEFORE, "Upcoming", "Not open yet", BY_TIMES, "Announced to open"],
    ["auction", DURING, "Open", "The sale is open", BY_TIMES, "Announced to close"],
    ["auction", AFTER, "Closed", "Bidding has closed", BY_TIMES, ""],
    ["fixed", BEFORE, "Upcoming", "Not open yet", BY_TIMES, "Announced to open"],
    ["fixed", DURING, "Open", "The sale is open", BY_TIMES, "Announced to close"],
    ["fixed", AFTER, "Closed", "The sale has closed", BY_TIMES, ""],
  ] as const)(
    "follows the announced times of a sale (%s) whose contract's stage isn't known",
    (Pricing, now, ...words) => {
      expect(said({ Status: "open", Pricing, ...TIMES }, now)).toEqual(words);
    },
  );

  it("is no more than what is known without a stage and times, or of a later version's stage", () => {
    expect(said({ Status: "open" }, DURING)).toEqual(["Open", "The sale is open", "", ""]);
    expect(said({ Status: "open", Stage: "next" as never }, DURING)).toEqual(["Open", "The sale is open", "", ""]);
    expect(said({}, DURING)).toEqual(["Status unknown", "Token sale", "", ""]);
    expect(said({ Stage: "commitment", ...TIMES }, DURING)).toEqual(["Status unknown", "Token sale", "", ""]);
  });

  it("is that a settled sale is over, whatever its contract's stage", () => {
    const stages = [undefined, "pre_open", "commitment", "closed", "cancellation", "settlement"] as const;
    for (const Stage of stages) {
      const sale = { Status: "settled", ...TIMES, ...(Stage && { Stage }) } as const;
      expect(said(sale, BEFORE)).toEqual(["Settled", "The sale is over", "", ""]);
    }
    expect(said({ Status: "settled", Stage: "done", ...TIMES }, BEFORE)).toEqual([
      "Settled",
      "Settled",
      SETTLED_TEXT,
      "",
    ]);
  });
});
