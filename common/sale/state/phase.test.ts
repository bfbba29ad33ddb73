import { describe, expect, it } from "vitest";
import { hasEnded, type PhaseFacts, saleState } from "./phase.ts";
import { SALE_STAGES } from "./stage.ts";

const OpensAt = "2026-12-01T12:00:00Z";
const ClosesAt = "2026-12-04T12:00:00Z";
const [OPENS, CLOSES] = [Date.parse(OpensAt), Date.parse(ClosesAt)];
const MOMENTS = [OPENS - 1, OPENS, CLOSES - 1, CLOSES, CLOSES + 1_000_000_000];
const ANNOUNCED: readonly Pick<PhaseFacts, "OpensAt" | "ClosesAt">[] = [
  {},
  { OpensAt },
  { ClosesAt },
  { OpensAt, ClosesAt },
];
/** All sales that there can be, at all moments that differ. */
const ALL = [undefined, "open", "settled"].flatMap((Status) =>
  [undefined, ...SALE_STAGES].flatMap((Stage) =>
    ANNOUNCED.flatMap((times) => MOMENTS.map((now) => ({ facts: { Status, Stage, ...times } as PhaseFacts, now }))),
  ),
);

describe("where a sale is", () => {
  it("is said by its status, before all else", () => {
    for (const { facts, now } of ALL) {
      if (facts.Status === "settled") expect(saleState(facts, now).phase).toBe("settled");
      if (facts.Status === undefined) expect(saleState(facts, now).phase).toBe("unknown");
    }
  });

  it.each([
    ["pre_open", "upcoming"],
    ["commitment", "open"],
    ["closed", "closed"],
    ["cancellation", "closed"],
    ["settlement", "closed"],
    ["done", "settled"],
  ] as const)("is said by the contract's stage %s, whatever the clock and the founder say: %s", (Stage, phase) => {
    for (const times of ANNOUNCED) {
      for (const now of MOMENTS) {
        expect(saleState({ Status: "open", Stage, ...times }, now)).toMatchObject({ phase, isAnnounced: false });
      }
    }
  });

  it.each([
    [{}, ["open", "open", "open", "open", "open"]],
    [{ OpensAt }, ["upcoming", "open", "open", "open", "open"]],
    [{ ClosesAt }, ["open", "open", "open", "closed", "closed"]],
    [{ OpensAt, ClosesAt }, ["upcoming", "open", "open", "closed", "closed"]],
  ] as const)("is said by the founder's times %o where no stage is known", (times, phases) => {
    const states = MOMENTS.map((now) => saleState({ Status: "open", ...times }, now));
    expect(states.map(({ phase }) => phase)).toEqual(phases);
    const isAnnounced = Object.keys(times).length > 0;
    expect(states.map((state) => state.isAnnounced)).toEqual(phases.map(() => isAnnounced));
  });

  it("has ended once nobody can take part", () => {
    const phases = ["unknown", "upcoming", "open", "closed", "settled"] as const;
    expect(phases.filter(hasEnded)).toEqual(["closed", "settled"]);
  });
});
