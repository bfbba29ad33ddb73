import { describe, expect, it } from "vitest";
import type { SaleState } from "../base/domain/sale-state.ts";
import { openState } from "../testing/samples.ts";
import {
  changed,
  completed,
  endsBidding,
  isComplete,
  isVisibleWithoutRows,
  startsHiding,
  withOpenSet,
  withoutAbandonedSet,
} from "./change-set.ts";

const part = (number: number, last = false, uuid = "a") => ({ changeSet: { uuid, part: number, last } });
const withSet: SaleState = { ...openState, changeSet: { uuid: "a", nextPart: 1, stage: "done" } };

it("takes an apply without a change set, and the last part of one, for complete", () => {
  expect([{}, part(2, true), part(0)].map(isComplete)).toEqual([true, true, false]);
});

it("keeps showing the previous body from the first of several parts on", () => {
  expect(startsHiding(openState, part(0))).toBe(true);
  expect(startsHiding(openState, part(0, true))).toBe(false);
  expect(startsHiding(openState, {})).toBe(false);
  expect(startsHiding(withSet, part(1))).toBe(false);
  expect(startsHiding({ ...openState, hasSnapshot: false }, part(0))).toBe(false);
});

describe("an abandoned change set", () => {
  it("uses up its settlement, where the next one doesn't settle the sale", () => {
    expect(withoutAbandonedSet(withSet, part(0, false, "b")).settleCount).toBe(openState.settleCount + 1n);
    expect(withoutAbandonedSet(withSet, {}).settleCount).toBe(openState.settleCount + 1n);
  });

  it.each([
    ["goes on", withSet, part(1)],
    ["is followed by one that settles the sale too", withSet, { ...part(0, false, "b"), stage: "done" as const }],
    ["wasn't to settle the sale", { ...openState, changeSet: { uuid: "a", nextPart: 1 } }, part(0, false, "b")],
    ["isn't there", openState, part(0)],
    ["came after the settlement", { ...withSet, status: "settled" as const }, part(0, false, "b")],
  ])("changes nothing where it %s", (_, before, envelope) => {
    expect(withoutAbandonedSet(before, envelope)).toBe(before);
  });
});

const NO_ROWS = { sums: new Map() };

it("counts parts, and stores the stage that they bring", () => {
  expect(withOpenSet(openState, { ...part(3), stage: "done" }, NO_ROWS)).toEqual({
    ...openState,
    changeSet: { uuid: "a", nextPart: 4, stage: "done" },
  });
});

it("ends with a whole snapshot at the source's position", () => {
  const sourcePosition = { height: 9n, hash: "a1" };
  expect(completed({ ...withSet, hasSnapshot: false }, { sourcePosition })).toEqual({ ...openState, sourcePosition });
});

it("shows readers another status, the first snapshot and the end of a set, whatever the rows are", () => {
  expect(isVisibleWithoutRows(openState, openState)).toBe(false);
  expect(isVisibleWithoutRows(openState, { ...openState, status: "settled" })).toBe(true);
  expect(isVisibleWithoutRows(openState, { ...openState, stage: "cancellation" })).toBe(true);
  expect(isVisibleWithoutRows({ ...openState, hasSnapshot: false }, openState)).toBe(true);
  expect(isVisibleWithoutRows(withSet, openState)).toBe(true);
});

it("notes where a visible change was read, and that a change without a position has none", () => {
  const [first, second] = [
    { height: 9n, hash: "a1" },
    { height: 10n, hash: "" },
  ];
  const once = changed(openState, { sourcePosition: first });
  expect(once).toEqual({ ...openState, changedPosition: first });
  expect(changed(once, { sourcePosition: second }).changedPosition).toEqual(second);
  expect(changed(once, {})).toEqual(openState);
});

it.each([
  ["pre_open", { stage: "commitment" }, false],
  ["commitment", { stage: "pre_open" }, false],
  ["pre_open", { stage: "cancellation" }, true],
  ["commitment", { stage: "closed" }, true],
  ["commitment", { stage: "done" }, true],
  ["commitment", {}, false],
  ["commitment", { stage: "settlement", changeSet: part(3).changeSet }, false],
  ["commitment", { stage: "settlement", changeSet: part(3, true).changeSet }, true],
  ["cancellation", { stage: "settlement" }, false],
  ["cancellation", { stage: "commitment" }, false],
  [undefined, { stage: "done" }, false],
] as const)("after %s, %j: %s", (before, envelope, expected) => {
  expect(endsBidding(before, envelope)).toBe(expected);
});
