import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryFacts } from "../testing/arbitrary-facts.ts";
import { naiveDecision } from "../testing/naive-eligibility.ts";
import { GROUP_UUID, sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { decideEligibility, FAILURE_REASONS, type FailureReason, type WalletEligibilityFacts } from "./decide.ts";

/** Facts for which each reason holds, in the order of the reasons. */
const FAILURES: Readonly<Record<FailureReason, Partial<WalletEligibilityFacts>>> = {
  "sale-not-active": { permitsStopped: true },
  unknown: { frozen: true },
  "outside-time-window": { nowSeconds: 9n },
  "wallet-not-linked": { wallet: "not_linked" },
  "max-wallets-used": { wallet: "max_wallets_used" },
  "wallet-risk": { walletRisk: true },
  "requires-liveness": { livenessProved: false },
};

function factsOf(given: Partial<WalletEligibilityFacts> = {}): WalletEligibilityFacts {
  return {
    nowSeconds: 10n,
    sale: sampleSale(),
    rules: sampleRules({ livenessRequired: true, groups: [sampleGroup({ opensAt: 10n, closesAt: 20n })] }),
    permitsStopped: false,
    entity: { type: "person", country: "DE", isComplete: true, provider: "review" },
    accountClosed: false,
    frozen: false,
    members: [],
    wallet: "usable",
    walletRisk: false,
    livenessProved: true,
    ...given,
  };
}

const reasonFor = (given: Partial<WalletEligibilityFacts>) => {
  const decision = decideEligibility(factsOf(given));
  return decision.kind === "refused" ? decision.reason : undefined;
};

describe("decideEligibility", () => {
  it("is ready where nothing speaks against it", () => {
    expect(decideEligibility(factsOf())).toMatchObject({ kind: "ready", memberKeys: [] });
  });

  it.each(FAILURE_REASONS)("refuses for %s", (reason) => {
    expect(reasonFor(FAILURES[reason])).toBe(reason);
  });

  it("gives the first reason where several hold", () => {
    // A wallet has one state, so the later reason of the two about it doesn't count here.
    const { "max-wallets-used": _, ...others } = FAILURES;
    for (const [index, reason] of FAILURE_REASONS.entries()) {
      const later = FAILURE_REASONS.slice(index).toReversed();
      const facts = Object.assign(
        {},
        ...later.map((each) => (each === reason ? FAILURES[each] : others[each as never])),
      );
      expect(reasonFor(facts)).toBe(reason);
    }
  });

  it.each([
    [9n, "outside-time-window"],
    [10n, undefined],
    [19n, undefined],
    [20n, "outside-time-window"],
  ] as const)("has windows that include their beginning and not their end: %s", (nowSeconds, reason) => {
    expect(reasonFor({ nowSeconds })).toBe(reason);
  });

  it.each([
    ["a draft", { sale: sampleSale({ status: "draft" }) }],
    ["a settled sale", { sale: sampleSale({ status: "settled" }) }],
    ["a withdrawn sale", { sale: sampleSale({ status: "withdrawn" }) }],
    ["a sale whose stage isn't known", { sale: sampleSale({ stage: "unknown" }) }],
    ["a sale in its cancellation", { sale: sampleSale({ stage: "cancellation" }) }],
    ["rules that are off", { rules: sampleRules({ enabled: false }) }],
    ["a price that no permit can hold", { sale: sampleSale({ pricing: { kind: "fixed", priceTicks: 2n ** 53n } }) }],
  ])("isn't active for %s", (_, facts) => {
    expect(reasonFor(facts)).toBe("sale-not-active");
  });

  const person = factsOf().entity;
  it.each([
    ["a set-up that isn't complete", { entity: { ...person, isComplete: false } }],
    [
      "an approval of the demo in a live sale",
      { sale: sampleSale({ tenancy: "live" }), entity: { ...person, provider: "demo" } },
    ],
    ["a closed account", { accountClosed: true }],
    ["another type", { rules: sampleRules({ entityTypes: ["organization"] }) }],
    ["a listed country", { rules: sampleRules({ countries: ["DE"] }) }],
    ["a country that isn't listed", { rules: sampleRules({ countryRule: "only_listed", countries: ["FR"] }) }],
    ["an unknown country", { rules: sampleRules({ countries: ["US"] }), entity: { ...person, country: "" } }],
    ["no group", { rules: sampleRules({ groups: [] }) }],
  ])("refuses without naming the reason: %s", (_, facts) => {
    expect(reasonFor(facts)).toBe("unknown");
  });

  it("binds the keys of the members of the chosen group, but for wallets without proof", () => {
    const member = (keyMac: string, groupUuid: string, binds: boolean) => ({ keyMac, groupUuid, binds });
    const members = [member("a", GROUP_UUID, true), member("b", GROUP_UUID, false), member("c", "other", true)];
    expect(decideEligibility(factsOf({ members }))).toMatchObject({ kind: "ready", memberKeys: ["a"] });
  });

  it("decides as a naive model does", () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        expect(decideEligibility(facts)).toEqual(naiveDecision(facts));
      }),
      { numRuns: 3_000 },
    );
  });

  it("is tried by the property with every result", () => {
    const results = new Set<string>();
    for (const facts of fc.sample(arbitraryFacts, { numRuns: 5_000, seed: 1 })) {
      const decision = naiveDecision(facts);
      results.add(decision.kind === "ready" ? "ready" : decision.reason);
    }
    expect([...results].toSorted()).toEqual(["ready", ...FAILURE_REASONS].toSorted());
  });
});
