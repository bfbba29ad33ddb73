import { describe, expect, it } from "vitest";
import type { SaleObservation } from "../memberships/read-sale.ts";
import { checkOpeningIsOver } from "./change-application.ts";

const ADMITTED = 1_000_000n;
const LATER = ADMITTED + 120_000n;

describe("checkOpeningIsOver", () => {
  it.each<SaleObservation>([
    { askedAtMs: LATER, status: "draft" },
    { askedAtMs: LATER, status: "absent" },
    { askedAtMs: LATER + 1n, status: "draft" },
  ])("lets a sale lose its last ready client: %o", (observation) => {
    expect(() => checkOpeningIsOver(ADMITTED, observation)).not.toThrow();
  });

  it.each<[string, SaleObservation]>([
    ["failed_precondition", { askedAtMs: LATER - 1n, status: "draft" }],
    ["failed_precondition", { askedAtMs: ADMITTED - 1n, status: "absent" }],
    ["failed_precondition", { askedAtMs: LATER, status: "open" }],
    ["failed_precondition", { askedAtMs: LATER, status: "settled" }],
    ["unavailable", { askedAtMs: LATER }],
  ])("refuses with %s: %o", (code, observation) => {
    expect(() => checkOpeningIsOver(ADMITTED, observation)).toThrow(expect.objectContaining({ code }));
  });
});
