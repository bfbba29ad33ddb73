import { describe, expect, it } from "vitest";
import { SALE_STAGES } from "./stage.ts";
import { type TimelineFacts, timeline } from "./timeline.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-12-01T12:00:00Z");
const day = (days: number) => new Date(START + days * DAY).toISOString();
const TIMES = {
  ...{ AnnouncedAt: day(0), OpensAt: day(10), ClosesAt: day(20), CancelUntil: day(30), SettlesAt: day(40) },
  ClaimsAt: day(50),
};
const NAMES = ["announced", "opens", "closes", "cancelUntil", "settles", "claims"];
const at = (facts: TimelineFacts, days: number) => {
  const { steps, awaited } = timeline(facts, START + days * DAY);
  return [steps.filter(({ isReached }) => isReached).map(({ name }) => name), awaited?.name];
};

describe("the timeline of a sale", () => {
  it.each<[number, TimelineFacts["Stage"], TimelineFacts["Status"], number, string | undefined]>([
    [5, "pre_open", "open", 1, "opens"],
    [15, "commitment", "open", 2, "closes"],
    [25, "closed", "open", 3, "cancelUntil"],
    [25, "cancellation", "open", 3, "cancelUntil"],
    [35, "settlement", "open", 4, "settles"],
    [45, "done", "open", 5, "claims"],
    [45, undefined, "settled", 5, "claims"],
    [55, "done", "settled", 6, undefined],
    [15, undefined, "open", 2, "closes"],
    [25, undefined, "open", 3, "cancelUntil"],
    [35, undefined, "open", 4, "settles"],
  ])(
    "on day %i at the stage %s, %s, has reached %i steps and waits for %s",
    (days, Stage, Status, reached, awaited) => {
      const facts = { ...TIMES, ...(Stage && { Stage }), ...(Status && { Status }) };
      expect(at(facts, days)).toEqual([NAMES.slice(0, reached), awaited]);
    },
  );

  it("goes by the contract's stage before any time, which can be early or late", () => {
    expect(at({ ...TIMES, Status: "open", Stage: "commitment" }, -5)).toEqual([["announced", "opens"], "closes"]);
    expect(at({ ...TIMES, Status: "open", Stage: "pre_open" }, 15)).toEqual([["announced"], "opens"]);
    expect(at({ ...TIMES, Status: "open", Stage: "cancellation" }, 99)).toEqual([NAMES.slice(0, 3), "cancelUntil"]);
  });

  it("has no step whose time nobody has entered", () => {
    const facts = { Status: "open", OpensAt: TIMES.OpensAt } as const;
    expect(timeline(facts, START)).toEqual({
      steps: [{ name: "opens", time: TIMES.OpensAt, isReached: false }],
      awaited: { name: "opens", time: TIMES.OpensAt },
    });
    expect(timeline({ Status: "open" }, START)).toEqual({ steps: [], awaited: undefined });
  });

  it("never reaches a step before one that comes earlier, at any stage and time", () => {
    for (const Stage of SALE_STAGES) {
      for (let days = -5; days < 60; days += 5) {
        const { steps } = timeline({ ...TIMES, Status: "open", Stage }, START + days * DAY);
        const reached = steps.map(({ isReached }) => isReached);
        expect(reached).toEqual(reached.toSorted((one, other) => Number(other) - Number(one)));
      }
    }
  });
});
