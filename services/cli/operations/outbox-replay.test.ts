import { describe, expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { sinceMillis } from "./outbox-replay.ts";

const NOW = Date.UTC(2026, 0, 31, 12);

describe("--since of outbox replay", () => {
  it.each([
    ["2026-01-31T11:00:00Z", NOW - 3_600_000],
    ["2026-01-31T11:59:59.500Z", NOW - 500],
    ["90s", NOW - 90_000],
    ["2h", NOW - 7_200_000],
  ])("takes %s", (text, expected) => {
    expect(sinceMillis(text, NOW)).toBe(expected);
  });

  it.each([
    undefined,
    "",
    "yesterday",
    "2026-01-31",
    "2026-01-31T11:00:00+01:00",
    "2026-13-31T11:00:00Z",
    "-2h",
    "9999999d",
  ])("refuses %s", (text) => {
    expect(() => sinceMillis(text, NOW)).toThrow(UsageError);
  });
});
