import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryFacts } from "../testing/arbitrary-facts.ts";
import { naiveDecision } from "../testing/naive-eligibility.ts";
import { GROUP_UUID, sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { entityLimits } from "./eligibility-rpc.ts";
import { amountLimits, saleEligibility } from "./entity-eligibility.ts";

const member = (own: { readonly minAmount?: bigint; readonly maxAmount?: bigint } = {}, keyMac = "a") => ({
  groupUuid: GROUP_UUID,
  keyMac,
  binds: true,
  ...own,
});
const group = sampleGroup({ minAmount: 10n, maxAmount: 100n });

describe("amountLimits", () => {
  it.each([
    ["the group's for no member", [], 10n, 100n],
    ["the group's for a member without own ones", [member()], 10n, 100n],
    ["a member's own", [member({ minAmount: 20n, maxAmount: 30n })], 20n, 30n],
    ["a member's own largest total below the group's least", [member({ maxAmount: 5n })], 5n, 5n],
    ["a member's own least total above the group's largest", [member({ minAmount: 500n })], 500n, 500n],
    [
      "the widest of several memberships",
      [member({ maxAmount: 50n }), member({ minAmount: 1n, maxAmount: 20n }, "b")],
      1n,
      50n,
    ],
  ] as const)("are %s", (_, members, minAmount, maxAmount) => {
    expect(amountLimits({ group, members })).toEqual({ minAmount, maxAmount });
  });

  it("have no largest total where a membership has none", () => {
    const members = [member({ maxAmount: 5n }), member({}, "b")];
    expect(amountLimits({ group: sampleGroup(), members })).toEqual({ minAmount: 0n });
  });
});

describe("entityLimits and saleEligibility", () => {
  it("agree with what a permit of the naive model says, whatever the time and the wallet", () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const decision = naiveDecision({
          ...facts,
          sale: sampleSale({ tenancy: facts.sale.tenancy }),
          rules: {
            ...facts.rules,
            enabled: true,
            livenessRequired: false,
            groups: facts.rules.groups.map(({ closesAt: _, ...each }) => ({ ...each, opensAt: 0n })),
          },
          permitsStopped: false,
          wallet: "usable",
          walletRisk: false,
        });
        const { custom, ...amounts } = entityLimits(facts);
        const eligibility = saleEligibility(facts);
        if (decision.kind === "refused") {
          expect(amounts).toEqual({ minAmount: 0n, maxAmount: 0n });
          expect(custom).toBe(false);
          expect(eligibility).not.toBe("eligible");
          return;
        }
        const { minAmount, maxAmount } = decision.limits;
        expect(amounts).toEqual({ minAmount, ...(maxAmount !== undefined && { maxAmount }) });
        expect(custom).toBe(facts.members.some(({ groupUuid }) => groupUuid === decision.group.uuid));
        expect(eligibility).toBe(facts.rules.enabled ? "eligible" : "not_eligible");
      }),
      { numRuns: 1_000 },
    );
  });

  it("say where the set-up isn't complete, demo approvals of live sales included", () => {
    const facts = {
      sale: sampleSale(),
      rules: sampleRules(),
      entity: { type: "person", country: "DE", isComplete: true, provider: "demo" },
      accountClosed: false,
      frozen: false,
      members: [],
    } as const;
    expect(saleEligibility(facts)).toBe("eligible");
    expect(saleEligibility({ ...facts, entity: { ...facts.entity, isComplete: false } })).toBe(
      "unknown_setup_incomplete",
    );
    expect(saleEligibility({ ...facts, sale: sampleSale({ tenancy: "live" }) })).toBe("unknown_setup_incomplete");
  });
});
