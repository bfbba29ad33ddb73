import { FEED_FAULTS } from "../../../common/sale/words/feed-fault.ts";
import { datedText, freshnessOf, markedTitle } from "../../sale-page/browser/freshness.js";
import { type Liveness, livenessText } from "../../sale-page/browser/liveness.js";
import { printedText } from "../../sale-page/browser/printed-text.js";
import { type Block, sourceText } from "../../sale-page/browser/source-text.js";
import { texts } from "../../sale-page/browser/words.js";
import { combined, type Section } from "./table.ts";

/** The time at which the sentences are said, which the test's clock must have. */
export const SAID_AT = Date.parse("2026-11-29T17:10:00Z");
const SINCE = Date.parse("2026-11-29T17:03:00Z");
const BLOCK = { Block: "1234", BlockHash: "0xab", LastSuccess: SINCE / 1_000 } satisfies Block;
const { BlockHash: _, ...SLOT } = BLOCK;

const BLOCKS: Readonly<Record<string, Block | null>> = { none: null, "a block": BLOCK, "a slot": SLOT };
/** The sources of figures, with the time of the last current figures. */
const FEEDS = {
  live: ["live", 0],
  settled: ["settled", 0],
  "page just loaded": ["connecting", 0],
  "page shown again": ["connecting", SINCE],
  "contract can't be read": ["stopped", 0],
  "contract can't be read since then": ["stopped", SINCE],
  "gateway away": ["lost", 0],
  "gateway away since then": ["lost", SINCE],
  "no such sale": ["unknown", 0],
} as const satisfies Readonly<Record<string, readonly [Liveness["name"], number]>>;

/** How fresh figures are: the state, the figure of a chart on the screen and on paper, and the title. */
export const FRESHNESS_SENTENCES: Section = {
  title: "How fresh its figures are: state, chart, chart on paper, title",
  conditions: ["feed", "reader", "figures of"],
  cases: combined(
    Object.keys(FEEDS) as (keyof typeof FEEDS)[],
    ["watches", "paused"] as const,
    Object.keys(BLOCKS),
  ).map(([feed, reader, block]) => ({
    state: [feed, reader, block],
    say: () => {
      const [name, since] = FEEDS[feed];
      const before = { name, since, fault: "" };
      const shown = reader === "paused" ? ({ name: "paused", since: SAID_AT, before } as const) : before;
      const freshness = freshnessOf(shown, BLOCKS[block] ?? null);
      const state = reader === "paused" ? texts().live.paused : livenessText(before);
      const figures = [datedText("$5", freshness), printedText("$5", freshness, SAID_AT)];
      return [state, ...figures, markedTitle("Harbour", freshness.isStale)];
    },
  })),
};

/** The block that figures are of, or why they stand still. */
export const SOURCE_SENTENCES: Section = {
  title: "What its figures are of",
  conditions: ["fault", "figures of", "time of the block"],
  cases: combined(["none", ...Object.values(FEED_FAULTS)], Object.keys(BLOCKS), ["not known", "known"]).map(
    ([fault, block, time]) => ({
      state: [fault, block, time],
      say: () => {
        const of = BLOCKS[block] ?? null;
        const AsOf = of && time === "known" ? { ...of, BlockTime: SINCE / 1_000 } : of;
        return [sourceText({ AsOf, Fault: fault === "none" ? "" : fault }).sentence];
      },
    }),
  ),
};
