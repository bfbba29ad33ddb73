import { expect, it } from "vitest";
import { belowFloorText } from "./commitment-message.ts";

const CLEARING = { price: { numerator: 1n, denominator: 2n } };

it("says of an auction that nothing is bid below its floor, and nothing of a fixed price", () => {
  expect([belowFloorText(CLEARING, 7n), belowFloorText(CLEARING, 0n), belowFloorText(undefined, 0n)]).toEqual([
    "7",
    "0",
    "",
  ]);
});
