import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

describe("retryAfterMs", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");

  it.each([
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["0", 0],
    ["7", 7000],
    ["1.5", 1_500],
    ["0.25", 250],
    [" 7 ", 7_000],
    ["3600", 600_000],
    ["30000", 30_000],
    ["99999999", 600_000],
    ["1769860830", 30_000],
    ["1769860829.5", 29_500],
    ["1769860830000", 30_000],
    ["1769857200", 0],
    ["-1", undefined],
    ["1e3", undefined],
    ["2026", 600_000],
    ["Sat, 31 Jan 2026 12:00:30 GMT", 30_000],
    ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ])("reads %j as %s", (header, millis) => {
    expect(retryAfterMs(header, now)).toBe(millis);
  });
});
