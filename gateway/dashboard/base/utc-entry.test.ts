import { describe, expect, it } from "vitest";
import { utcSecondsText } from "../../../common/sale/words/utc-seconds.ts";
import { isCalendarEntry, readUtcEntry, utcEntry } from "./utc-entry.ts";

describe("times as entered", () => {
  it.each([
    [1_796_083_200n, "2026-12-01T00:00", "2026-12-01 00:00 UTC"],
    [1_796_083_201n, "2026-12-01T00:00:01", "2026-12-01 00:00:01 UTC"],
    [253_402_300_799n, "9999-12-31T23:59:59", "9999-12-31 23:59:59 UTC"],
    [253_402_300_800n, "@253402300800", "253402300800 seconds after 1970"],
  ])("are %d as %s", (seconds, entry, text) => {
    expect([utcEntry(seconds), utcSecondsText(seconds)]).toEqual([entry, text]);
    expect(readUtcEntry(entry)).toEqual({ value: seconds });
  });

  it.each(["", "2026-02-30T00:00", "2026-12-01", "2026-12-01T24:30", "1/2/2026 10:00", "@x", "12026-01-01T00:00"])(
    "are refused: %j",
    (entry) => expect(readUtcEntry(entry)).toHaveProperty("reason"),
  );

  it.each([
    ["", true],
    ["2026-12-01T00:00", true],
    ["tomorrow", false],
    ["@253402300800", false],
    ["2026-02-30T00:00", false],
  ])("fit into a calendar's field: %j", (entry, fits) => expect(isCalendarEntry(entry)).toBe(fits));
});
