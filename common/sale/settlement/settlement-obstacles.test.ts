import { expect, it } from "vitest";
import { type SettlementFacts, settlementObstacles } from "./settlement-obstacles.ts";

const SOURCE = {
  ...{ settlesItself: false, hasPosition: true, isUnreadable: false },
  ...{ standsStill: false, isSwept: false, awaitsSweep: false },
};
const READY: SettlementFacts = {
  ...{ status: "open", stage: "settlement", hasSnapshot: true, isChangeSetOpen: false, sellsOverTime: false },
  source: SOURCE,
};
const { source: _, ...FED } = READY;

it.each<[readonly string[], SettlementFacts]>([
  [[], READY],
  [[], { ...READY, status: "settled", stage: "done" }],
  [["not_public"], { ...READY, status: "draft" }],
  [["not_public"], { ...READY, status: undefined }],
  [["no_snapshot"], { ...READY, hasSnapshot: false }],
  [["change_set_open"], { ...READY, isChangeSetOpen: true }],
  [["bidding_or_cancelling"], { ...READY, stage: "commitment" }],
  [["bidding_or_cancelling"], { ...READY, stage: "closed" }],
  [["bidding_or_cancelling"], { ...READY, stage: "cancellation" }],
  [["stage_unknown"], { ...READY, stage: undefined, status: "settled" }],
  [["settles_itself"], { ...READY, status: "draft", source: { ...SOURCE, settlesItself: true } }],
  [["settles_itself"], { ...READY, sellsOverTime: true, source: { ...SOURCE, settlesItself: true } }],
  [["sells_over_time"], { ...FED, stage: undefined, sellsOverTime: true }],
  [["source_unread"], { ...READY, source: { ...SOURCE, hasPosition: false } }],
  [["source_fault", "feed_stands_still"], { ...READY, source: { ...SOURCE, isUnreadable: true, standsStill: true } }],
  [["sweep_runs"], { ...READY, source: { ...SOURCE, isSwept: true, awaitsSweep: true } }],
  [["sweep_waits"], { ...READY, source: { ...SOURCE, awaitsSweep: true } }],
  [[], FED],
  [[], { ...FED, stage: undefined, status: "settled" }],
  [["still_open"], { ...FED, stage: undefined }],
  [["bidding_or_cancelling"], { ...FED, stage: "pre_open" }],
])("what stands against a settlement: %j", (obstacles, facts) => {
  expect(settlementObstacles(facts)).toEqual(obstacles);
});
