import { expect, it } from "vitest";
import { certificateFinding } from "./certificate-end.ts";

const NOW = Date.UTC(2026, 0, 31);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

it.each([
  ["of a year, with a month left", -335 * DAY, 30 * DAY, "ok", "ends in 30 days"],
  ["of a year, with less than two weeks left", -352 * DAY, 13 * DAY, "warning", "ends in 13 days"],
  ["of a day, with nine hours left", -15 * HOUR, 9 * HOUR, "ok", "ends in 9 hours"],
  ["of a day, with less than a fifth left", -20 * HOUR, 4 * HOUR, "warning", "ends in 4 hours"],
  ["that has ended", -90 * DAY, 0, "failed", "has expired"],
  ["that begins later", HOUR, 90 * DAY, "failed", "is valid only from"],
])("a certificate %s", (_, fromMs, untilMs, level, words) => {
  const finding = certificateFinding({ fromMs: NOW + fromMs, untilMs: NOW + untilMs }, NOW);
  expect([finding.level, finding.text]).toEqual([level, expect.stringContaining(words)]);
});

it("a certificate of an unknown beginning is worth a warning two weeks before its end", () => {
  const levels = [15, 13].map((days) => certificateFinding({ untilMs: NOW + days * DAY }, NOW).level);
  expect(levels).toEqual(["ok", "warning"]);
});
