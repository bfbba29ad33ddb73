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
    ["99999999", 600_000],
    ["Sat, 31 Jan 2026 12:00:30 GMT", 30_000],
    ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ])("reads %j as %s", (header, millis) => {
    expect(retryAfterMs(header, now)).toBe(millis);
  });
});
