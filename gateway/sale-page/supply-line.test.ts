import "../testing/english-words.ts";
import { expect, it } from "vitest";
import { offeredNumber, shownSupply, supplyLabel } from "./browser/supply-line.js";

const UNITS = { payment: 6, offered: 18, dollars: true, symbol: "", language: "en" };

it("counts whole tokens, and none where it isn't known how many are for sale", () => {
  expect(offeredNumber(String(25n * 10n ** 17n), UNITS)).toBe(2.5);
  expect(offeredNumber(undefined, UNITS)).toBe(0);
});

it("goes from the first price to the last, or to where it leaves the plot", () => {
  expect(shownSupply(10, { least: 1, most: 4 }, 100)).toEqual({ from: [1, 10], to: [4, 40] });
  expect(shownSupply(10, { least: 1, most: 4 }, 20)).toEqual({ from: [1, 10], to: [2, 20] });
  expect(shownSupply(10, { least: 1, most: 4 }, 10)).toBeUndefined();
});

it("has its label on the left, and on the right where it would be cut", () => {
  expect(supplyLabel(200, 120, 6, 60)).toEqual({ x: 194, align: "right" });
  expect(supplyLabel(150, 120, 6, 60)).toEqual({ x: 156, align: "left" });
});
