import { describe, expect, it } from "vitest";
import { sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { DEFAULT_RULES } from "./participation-rules.ts";
import { ruleChanges } from "./rule-changes.ts";

const sale = sampleSale();

describe("ruleChanges", () => {
  it("are none between equal rules", () => {
    expect(ruleChanges(sampleRules(), sampleRules(), sale)).toEqual([]);
  });

  it("say in words what changed, in whole tokens", () => {
    const group = sampleGroup({
      name: "Early",
      opensAt: 1_800_000_000n,
      closesAt: 1_800_003_600n,
      minAmount: 1_500_000n,
      maxAmount: 2_000_000_000n,
      minPriceTicks: 7n,
      forcedLockup: true,
      priority: 2,
    });
    const after = sampleRules({ groups: [group], countries: ["US", "CU"] });
    expect(ruleChanges(DEFAULT_RULES, after, sale)).toEqual([
      { field: "Taking part", before: "off", after: "on" },
      { field: "Countries", before: "all", after: "all but CU, US" },
      { field: "Everyone who is in no group", before: "may not take part", after: "as “Early”" },
      {
        field: "Group “Early”",
        before: "",
        after:
          "from 2027-01-15T08:00:00Z to 2027-01-15T09:00:00Z; from 1.5 to 2,000 payment tokens; from 7 price ticks; locked up; priority 2",
      },
    ]);
    expect(ruleChanges(after, { ...after, groups: [] }, sale)).toContainEqual(
      expect.objectContaining({ field: "Group “Early”", after: "" }),
    );
  });

  it("name the host of a screener, but nothing of its path, which may hold a key", () => {
    const { wallets } = sampleRules();
    const after = sampleRules({ wallets: { ...wallets, screenerUrl: "https://screener.example/secret?key=1" } });
    expect(ruleChanges(sampleRules(), after, sale)).toEqual([
      { field: "Screening of wallets", before: "none", after: "by screener.example" },
    ]);
  });
});
