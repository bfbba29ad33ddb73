import { expect, it } from "vitest";
import { endsBidding } from "./ends-bidding.ts";

const part = (last: boolean) => ({ uuid: "a", part: 3, last });

it.each([
  ["pre_open", { stage: "commitment" }, false],
  ["commitment", { stage: "pre_open" }, false],
  ["pre_open", { stage: "cancellation" }, true],
  ["commitment", { stage: "closed" }, true],
  ["commitment", { stage: "done" }, true],
  ["commitment", {}, false],
  ["commitment", { stage: "settlement", changeSet: part(false) }, false],
  ["commitment", { stage: "settlement", changeSet: part(true) }, true],
  ["cancellation", { stage: "settlement" }, false],
  ["cancellation", { stage: "commitment" }, false],
  [undefined, { stage: "done" }, false],
] as const)("after %s, %j: %s", (before, envelope, expected) => {
  expect(endsBidding(before, envelope)).toBe(expected);
});
