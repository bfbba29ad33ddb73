import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import { announcement, awaitedTime, leftText, secondsLeft } from "./browser/countdown.js";

const OPENS = "2026-12-01T12:00:00Z";
const CLOSES = "2026-12-04T12:00:00Z";
const TIMES = { Status: "open", OpensAt: OPENS, ClosesAt: CLOSES } as const;
const [before, between, after] = ["2026-11-30T00:00:00Z", "2026-12-02T00:00:00Z", "2026-12-05T00:00:00Z"].map((time) =>
  Date.parse(time),
) as [number, number, number];

describe("the time that readers wait for", () => {
  it.each([
    ["pre_open", { name: "opens", time: OPENS }],
    ["commitment", { name: "closes", time: CLOSES }],
    ["closed", undefined],
    ["cancellation", undefined],
    ["settlement", undefined],
    ["done", undefined],
  ] as const)("follows the contract's stage %s, whatever the clock says", (Stage, awaited) => {
    for (const now of [before, between, after]) expect(awaitedTime({ ...TIMES, Stage }, now)).toEqual(awaited);
  });

  it("follows the clock without a contract", () => {
    expect(awaitedTime(TIMES, before)?.name).toBe("opens");
    expect(awaitedTime(TIMES, Date.parse(OPENS) - 1)?.name).toBe("opens");
    expect(awaitedTime(TIMES, Date.parse(OPENS))?.name).toBe("closes");
    expect(awaitedTime(TIMES, after)?.name).toBe("closes");
    expect(awaitedTime({ ...TIMES, Status: "settled" }, between)).toBeUndefined();
  });

  it("is none where the founder has entered none", () => {
    expect(awaitedTime({ Status: "open" }, before)).toBeUndefined();
    expect(awaitedTime({ Status: "open", Stage: "pre_open", ClosesAt: CLOSES }, before)).toBeUndefined();
    expect(awaitedTime({ Status: "open", OpensAt: OPENS }, after)).toBeUndefined();
  });
});

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
      "Closes in 60 minutes",
      "Closes in 10 minutes",
      "Closes in 1 minute",
      "Due to close now",
    ]);
  });

  it("is announced once after a gap, and not at first", () => {
    expect(announcement("opens", 4_000, 30)).toBe("Opens in 1 minute");
    expect(announcement("opens", 0, 4_000)).toBeUndefined();
    expect(announcement("opens", 0, 0)).toBeUndefined();
  });
});
