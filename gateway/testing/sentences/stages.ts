import { timeline } from "../../../common/sale/state/timeline.ts";
import { awaitedText } from "../../sale-page/browser/countdown.js";
import { stageTexts } from "../../sale-page/browser/stage-texts.js";
import { combined, type Section } from "./table.ts";

const NOW = Date.parse("2026-12-02T12:00:00Z");
const [PAST, LATER] = ["2026-12-01T12:00:00Z", "2026-12-04T12:00:00Z"];
const EARLIER = "2026-11-30T12:00:00Z";

const TIMES = {
  none: {},
  "opening to come": { OpensAt: LATER },
  "opening past": { OpensAt: PAST },
  "closing to come": { ClosesAt: LATER },
  "closing past": { ClosesAt: PAST },
  "both to come": { OpensAt: LATER, ClosesAt: "2026-12-09T12:00:00Z" },
  "between both": { OpensAt: PAST, ClosesAt: LATER },
  "both past": { OpensAt: EARLIER, ClosesAt: PAST },
  "all others to come": {
    ...{ OpensAt: EARLIER, ClosesAt: PAST },
    ...{ CancelUntil: LATER, SettlesAt: "2026-12-09T12:00:00Z", ClaimsAt: "2026-12-16T12:00:00Z" },
  },
} as const;
const PRICINGS = {
  auction: { Pricing: "auction" },
  "continuous auction": { Pricing: "auction", ClearingRule: "lowest_not_outbid" },
  fixed: { Pricing: "fixed" },
} as const;
const STAGES = [undefined, "pre_open", "commitment", "closed", "cancellation", "settlement", "done"] as const;

/** Where a sale is: by its pricing, status, its contract's stage and its founder's times. */
export const STAGE_SENTENCES: Section = {
  title: "Where a sale is",
  conditions: ["pricing", "status", "stage", "announced times"],
  cases: combined(
    Object.keys(PRICINGS) as (keyof typeof PRICINGS)[],
    [undefined, "open", "settled"] as const,
    STAGES,
    Object.keys(TIMES) as (keyof typeof TIMES)[],
  ).map(([pricing, Status, Stage, times]) => ({
    state: [pricing, Status ?? "not known", Stage ?? "not known", times],
    say: () => {
      const sale = { ...PRICINGS[pricing], ...(Status && { Status }), ...(Stage && { Stage }), ...TIMES[times] };
      const { status, title, text } = stageTexts(sale, NOW);
      const { awaited } = timeline(sale, NOW);
      return [status, title, text, awaited === undefined ? "" : awaitedText(awaited.name)];
    },
  })),
};
