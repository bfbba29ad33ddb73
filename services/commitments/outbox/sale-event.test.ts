import { describe, expect, it } from "vitest";
import { eventsOfChange, eventsOfFault } from "./sale-event.ts";

describe("the events of a change", () => {
  it("are the opening, each other stage and each settlement", () => {
    expect(eventsOfChange({ status: "draft" }, { status: "open" })).toEqual([{ type: "sale.opened" }]);
    expect(eventsOfChange({ status: "open" }, { status: "open", stage: "pre_open" })).toEqual([
      { type: "sale.stage_changed", previousStage: undefined },
    ]);
    expect(eventsOfChange({ status: "open", stage: "settlement" }, { status: "settled", stage: "done" })).toEqual([
      { type: "sale.stage_changed", previousStage: "settlement" },
      { type: "sale.settled" },
    ]);
    expect(eventsOfChange({ status: "open" }, { status: "settled" })).toEqual([{ type: "sale.settled" }]);
  });

  it("name a settlement that a re-organisation has undone by its stage, and tell it again later", () => {
    expect(eventsOfChange({ status: "settled", stage: "done" }, { status: "open", stage: "settlement" })).toEqual([
      { type: "sale.stage_changed", previousStage: "done" },
    ]);
  });

  it("are none for anything else, and for what the public may not see", () => {
    expect(eventsOfChange({ status: "open", stage: "commitment" }, { status: "open", stage: "commitment" })).toEqual(
      [],
    );
    expect(eventsOfChange({ status: "open", stage: "commitment" }, { status: "open" })).toEqual([]);
    expect(eventsOfChange({ status: "draft" }, { status: "draft" })).toEqual([]);
    expect(eventsOfChange({ status: "settled", stage: "done" }, { status: "withdrawn", stage: "done" })).toEqual([]);
  });
});

it("a fault begins, becomes another one and ends", () => {
  expect(eventsOfFault(undefined, undefined)).toEqual([]);
  expect(eventsOfFault("late", "late")).toEqual([]);
  expect(eventsOfFault(undefined, "late")).toEqual([{ type: "sale.fault_began", fault: "late" }]);
  expect(eventsOfFault("late", undefined)).toEqual([{ type: "sale.fault_ended", fault: "late" }]);
  expect(eventsOfFault("late", "no_indexer")).toEqual([
    { type: "sale.fault_ended", fault: "late" },
    { type: "sale.fault_began", fault: "no_indexer" },
  ]);
});
