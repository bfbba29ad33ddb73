import { describe, expect, it } from "vitest";
import { checkOpeningIsOver, type SaleSighting } from "./opening.ts";

const ADMITTED = 1_000_000n;
const LATER = ADMITTED + 120_000n;

describe("checkOpeningIsOver", () => {
  it.each<SaleSighting>([
    { askedAtMs: LATER, status: "draft" },
    { askedAtMs: LATER, status: "absent" },
    { askedAtMs: LATER + 1n, status: "draft" },
  ])("lets the last client of a sale go: %o", (sighting) => {
    expect(() => checkOpeningIsOver(ADMITTED, sighting)).not.toThrow();
  });

  it.each<[string, SaleSighting]>([
    ["failed_precondition", { askedAtMs: LATER - 1n, status: "draft" }],
    ["failed_precondition", { askedAtMs: ADMITTED - 1n, status: "absent" }],
    ["failed_precondition", { askedAtMs: LATER, status: "open" }],
    ["failed_precondition", { askedAtMs: LATER, status: "settled" }],
    ["unavailable", { askedAtMs: LATER }],
  ])("refuses with %s: %o", (code, sighting) => {
    expect(() => checkOpeningIsOver(ADMITTED, sighting)).toThrow(expect.objectContaining({ code }));
  });
});
