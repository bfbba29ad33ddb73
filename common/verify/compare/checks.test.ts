import { describe, expect, it } from "vitest";
import { Checks } from "./checks.ts";

describe("Checks", () => {
  it("are in the order of the report, each with its outcome", () => {
    const checks = new Checks();
    checks.covers("total", "5");
    checks.covers("stage", "commitment");
    checks.skipped("sale UUID", "the contract has none");
    checks.compare("total", "total", 5n, 6n);
    checks.compare("stage", "stage", "commitment", "commitment");
    expect(checks.outcomes).toEqual([
      { name: "sale UUID", outcome: "not_compared", detail: "the contract has none" },
      { name: "stage", outcome: "same", detail: "commitment" },
      { name: "total", outcome: "differs", detail: "5" },
    ]);
    expect(checks.findings).toEqual([{ check: "total", subject: "total", shown: "5", chain: "6" }]);
  });

  it("count all differences, and keep the first", () => {
    const checks = new Checks();
    for (let number = 0; number < 250; number += 1) checks.compare("commitments", `${number}`, undefined, number);
    expect(checks.differences).toBe(250);
    expect(checks.findings).toHaveLength(100);
    expect(checks.findings[99]).toMatchObject({ subject: "99", shown: "none" });
  });
});
