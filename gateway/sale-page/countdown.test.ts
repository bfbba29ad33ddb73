import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import { announcement, leftText, secondsLeft } from "./browser/countdown.js";

const OPENS = "2026-12-01T12:00:00Z";
describe("the time that is left", () => {
  const left = (ms: number) => secondsLeft({ name: "opens", time: OPENS }, Date.parse(OPENS) - ms);

  it("is 0 once the time has come and never below", () => {
    expect([1_001, 1_000, 1, 0, -1, -100_000].map(left)).toEqual([2, 1, 1, 0, 0, 0]);
  });

  it.each([
    [0, "00:00:00"],
    [59, "00:00:59"],
    [3_661, "01:01:01"],
    [86_399, "23:59:59"],
    [86_400, "1 day 00:00:00"],
    [2 * 86_400 + 3_600, "2 days 01:00:00"],
    [100 * 86_400 - 1, "99 days 23:59:59"],
    [251_606_563_200, "2,912,113 days"],
  ])("of %i seconds reads %s", (seconds, text) => {
    expect(leftText(seconds)).toBe(text);
  });

  it("is announced an hour, ten minutes and a minute before, and when the time has come", () => {
    const said: (string | undefined)[] = [];
    for (let seconds = 4_000; seconds >= 0; seconds--) said.push(announcement("closes", seconds + 1, seconds));
    expect(said.filter((text) => text !== undefined)).toEqual([
      "Announced to close in 60 minutes",
      "Announced to close in 10 minutes",
      "Announced to close in 1 minute",
      "The announced time has come",
    ]);
  });

  it("is announced once after a gap, and not at first", () => {
    expect(announcement("opens", 4_000, 30)).toBe("Announced to open in 1 minute");
    expect(announcement("opens", 0, 4_000)).toBeUndefined();
    expect(announcement("opens", 0, 0)).toBeUndefined();
  });
});
