import "../testing/english-words.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { datedText, endOf, freshnessOf, markedTitle } from "./browser/freshness.js";
import { type Liveness, livenessText, reportedLiveness } from "./browser/liveness.js";
import { printedText } from "./browser/printed-text.js";
import type { Block } from "./browser/source-text.js";

const NOW = Date.parse("2026-11-29T17:10:00Z");
const SINCE = Date.parse("2026-11-29T17:03:00Z");
const AS_OF = { Block: "1234", BlockHash: "0xab", LastSuccess: SINCE / 1_000 } satisfies Block;
const SLOT = { Block: "1234", LastSuccess: SINCE / 1_000 } satisfies Block;
const CANT_BE_READ = "The sale's contract can't be read at the moment.";

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe("what a server says of its source", () => {
  it.each([
    ["nothing", undefined, "live", 0],
    ["no fault", { AsOf: AS_OF, Fault: "" }, "live", 0],
    ["a fault", { AsOf: AS_OF, BehindSeconds: 500, Fault: CANT_BE_READ }, "stopped", SINCE],
    ["a fault without a block", { AsOf: null, BehindSeconds: 420, Fault: CANT_BE_READ }, "stopped", SINCE],
    ["a fault of a sale that is over", { AsOf: AS_OF, Fault: CANT_BE_READ, Settled: true }, "settled", 0],
    [
      "allocations that don't add up, of figures that are current",
      { AsOf: AS_OF, Fault: "The accepted amounts don't add up to the total that the sale's contract says." },
      "live",
      0,
    ],
  ])("is %s", (_case, report, name, since) => {
    expect(reportedLiveness(report, NOW)).toMatchObject({ name, since });
  });
});

/** Everything that a page says of how fresh its figures are. */
function said(name: Liveness["name"], since: number, block: Block | null): readonly unknown[] {
  const freshness = freshnessOf({ name, since }, block);
  const state = livenessText({ name, since });
  const title = markedTitle("Harbour", freshness.isStale);
  return [state, datedText("$5.00", freshness), title, endOf(freshness, NOW / 1_000)];
}

describe("what a page says of how fresh its figures are", () => {
  const [now, since] = [NOW / 1_000, SINCE / 1_000];
  const marked = "Not live: Harbour";

  it.each([
    ["live", 0, AS_OF, "Live", "$5.00 now", "Harbour", now],
    ["live", 0, null, "Live", "$5.00 now", "Harbour", now],
    ["settled", 0, AS_OF, "The sale is over", "$5.00", "Harbour", now],
    ["connecting", 0, null, "Connecting…", "$5.00 now", "Harbour", now],
    ["connecting", SINCE, AS_OF, "Connecting…", "$5.00 as of 17:03, block 1,234", marked, since],
    ["stopped", SINCE, AS_OF, "No new figures since 17:03", "$5.00 as of 17:03, block 1,234", marked, since],
    ["stopped", SINCE, SLOT, "No new figures since 17:03", "$5.00 as of 17:03, slot 1,234", marked, since],
    ["stopped", SINCE, null, "No new figures since 17:03", "$5.00 as of 17:03", marked, since],
    ["stopped", 0, null, "No new figures", "$5.00", marked, now],
    ["lost", SINCE, AS_OF, "Not live since 17:03: trying again", "$5.00 as of 17:03, block 1,234", marked, since],
    ["lost", 0, null, "Not live: trying again", "$5.00", marked, now],
    ["unknown", 0, null, "There is no sale with this ID", "$5.00", marked, now],
  ] as const)("is right where that is %s since %i, with the block %j", (name, at, block, ...words) => {
    expect(said(name, at, block)).toEqual(words);
  });

  it.each([
    ["live", 0, AS_OF, "$5.00 as of 29 Nov 2026, 17:10, block 1,234"],
    ["live", 0, null, "$5.00 as of 29 Nov 2026, 17:10"],
    ["stopped", SINCE, AS_OF, "$5.00 as of 29 Nov 2026, 17:03, block 1,234"],
    ["settled", 0, AS_OF, "$5.00"],
  ] as const)(
    "is of a time on paper, which is read later: %s since %i, with the block %j",
    (name, since, block, text) => {
      const freshness = freshnessOf({ name, since }, block);
      expect(printedText("$5.00", freshness, NOW)).toBe(text);
    },
  );

  it.each([
    ["live", 0, NOW, false],
    ["connecting", 0, NOW, false],
    ["connecting", SINCE, SINCE, true],
    ["stopped", SINCE, SINCE, true],
    ["lost", SINCE, SINCE, true],
    ["lost", 0, 0, true],
  ] as const)("is no newer for a pause where it was %s since %i", (name, since, until, isStale) => {
    const paused = { name: "paused", since: NOW, before: { name, since, fault: "" } } as const;
    expect(freshnessOf(paused, AS_OF)).toEqual({ name: "past", isStale, until, block: AS_OF });
  });

  it("marks a title once, and takes the mark away", () => {
    expect(markedTitle(marked, true)).toBe(marked);
    expect(markedTitle(marked, false)).toBe("Harbour");
  });
});
