import { expect, it } from "vitest";
import { regionOf } from "./eu-members.ts";

/** Every pair of letters, assigned to a country or not. */
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

it.each([
  ["", "unknown"],
  ["US", "us"],
  ["DE", "eu"],
  ["GR", "eu"],
  ["GB", "other"],
  ["CH", "other"],
  ["NO", "other"],
])("puts the country %j into the region %s", (country, region) => {
  expect(regionOf(country)).toBe(region);
});

it("knows 27 member states of the European Union", () => {
  expect(CODES.filter((code) => regionOf(code) === "eu")).toHaveLength(27);
});
