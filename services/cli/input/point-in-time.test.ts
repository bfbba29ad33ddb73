import { expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { pointInTime } from "./point-in-time.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const ahead = (duration: number) => NOW + duration;

it.each([
  ["2026-12-31T00:00:00Z", Date.UTC(2026, 11, 31)],
  ["365d", NOW + 365 * 86_400_000],
])("reads %s", (text, expected) => {
  expect(pointInTime("expires", text, ahead)).toBe(expected);
});

it.each(["", "soon", "2026-12-31", "2026-12-31T00:00:00+01:00"])("refuses %j and names the option", (text) => {
  expect(() => pointInTime("expires", text, ahead)).toThrow(UsageError);
  expect(() => pointInTime("expires", text, ahead)).toThrow(/^--expires /);
});
