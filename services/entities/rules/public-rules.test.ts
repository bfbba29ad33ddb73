import { toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { PublicRulesSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { arbitraryRules } from "../testing/arbitrary-rules.ts";
import { sampleGroup, sampleRules } from "../testing/sample-rules.ts";
import { publicRulesMessage } from "./rules-message.ts";

/** The JSON form of a message, in which fields with their default are absent. */
const jsonOf = (rules: Parameters<typeof publicRulesMessage>[0]) => {
  const message = publicRulesMessage(rules);
  return message && toJson(PublicRulesSchema, message);
};

it("is nothing of rules that their founder doesn't show", () => {
  fc.assert(
    fc.property(arbitraryRules, (rules) => {
      expect(publicRulesMessage({ ...rules, onSalePage: false })).toBeUndefined();
    }),
  );
});

it("has who, where, when and with how much", () => {
  const group = { name: "Early", opensAt: 5n, closesAt: 9n, minAmount: 1n, maxAmount: 2n, minPriceTicks: 3n };
  const rules = sampleRules({ onSalePage: true, countries: ["US"], groups: [sampleGroup(group)] });
  expect(jsonOf(rules)).toEqual({
    enabled: true,
    countryRule: "COUNTRY_RULE_ALL_BUT_LISTED",
    countries: ["US"],
    entityTypes: ["ENTITY_TYPE_PERSON", "ENTITY_TYPE_ORGANIZATION"],
    groups: [{ name: "Early", opensAt: "5", closesAt: "9", minAmount: "1", maxAmount: "2", minPriceTicks: "3" }],
    defaultGroupName: "Early",
    maxWalletsPerEntity: 1,
    walletsScreened: true,
  });
});

it("has no screener's address and no UUID, whatever the rules", () => {
  fc.assert(
    fc.property(arbitraryRules, (rules) => {
      const text = JSON.stringify(jsonOf({ ...rules, onSalePage: true }));
      expect(text).not.toMatch(/screener\.example|00000000-0000-4000|priority/);
    }),
  );
});
