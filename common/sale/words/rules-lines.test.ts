import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  ParticipationRulesSchema,
  PermitPayload,
  PublicRulesSchema,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { publicRulesLines, RULE_WORDS, ruleChanges, rulesLines } from "./rules-lines.ts";
import type { SaleUnits } from "./sale-units.ts";

type RulesInit = Exclude<MessageInitShape<typeof ParticipationRulesSchema>, { $typeName: string }>;

const UNITS: SaleUnits = {
  decimals: 6,
  money: "USDC",
  per: "per token",
  tick: { numerator: 1n, denominator: 1_000n },
  isAuction: true,
};
const GROUP = { uuid: "g", name: "Early", minAmount: "0" };
const rulesOf = (rules: RulesInit) => create(ParticipationRulesSchema, rules);
const textOf = (rules: RulesInit, label: string, units = UNITS) =>
  rulesLines(rulesOf(rules), units)
    .filter((line) => line.label === label)
    .map(({ text, detail }) => (detail === undefined ? text : `${text}; ${detail}`))
    .join();

describe("the lines of rules", () => {
  it.each<[string, RulesInit, string, string]>([
    ["nobody left out", {}, "Countries", "all"],
    ["countries left out", { countries: ["DE", "FR"] }, "Countries", "all but Germany, France"],
    ["some countries only", { countryRule: CountryRule.ONLY_LISTED, countries: ["DE"] }, "Countries", "only Germany"],
    ["both kinds", { entityTypes: [EntityType.PERSON, EntityType.ORGANIZATION] }, "Who", "people and organizations"],
    [
      "linked wallets",
      { wallets: { maxWalletsPerEntity: 3, linkingRequired: true } },
      "Wallets",
      "up to 3 for each entity, linked by a signature",
    ],
    [
      "a screener",
      { wallets: { denyList: true, screenerUrl: "https://s.example/x", onScreeningFailure: ScreeningFailure.OPEN } },
      "Screening",
      "the deny list and https://s.example/x (if it doesn’t answer, every wallet passes)",
    ],
    ["no proof of presence", {}, "Presence", "needn’t be proved"],
    ["a group without bounds", { groups: [GROUP] }, "Group “Early”", "always; any amount; any price"],
    [
      "a greatest amount of 0",
      { groups: [{ ...GROUP, maxAmount: "0" }] },
      "Group “Early”",
      "always; at most 0 USDC; any price",
    ],
    [
      "a time that no date can hold",
      { groups: [{ ...GROUP, closesAt: 2n ** 53n - 1n }] },
      "Group “Early”",
      "until 9007199254740991 seconds after 1970; any amount; any price",
    ],
    ["nobody besides members", { groups: [GROUP] }, "Everybody else", "may not take part: only members of groups may"],
    ["a default group", { groups: [GROUP], defaultGroupUuid: "g" }, "Everybody else", "takes part as in “Early”"],
    ["a payload", { payload: PermitPayload.SETTLEMENT }, "In a permit", "says whether a bid must be locked up"],
    ["rules for founders only", {}, "On the sale’s page", "not shown"],
    ["rules for everybody", { onSalePage: true }, "On the sale’s page", "shown"],
  ])("say of %s: %s", (_, rules, label, text) => {
    expect(textOf(rules, label)).toBe(text);
  });

  it("name prices in an auction only", () => {
    const bounded = { groups: [{ ...GROUP, minPriceTicks: 100n, maxPriceTicks: 2_000n }] };
    expect(textOf(bounded, "Group “Early”")).toBe("always; any amount; 0.1 USDC per token to 2 USDC per token");
    expect(textOf(bounded, "Group “Early”", { ...UNITS, isAuction: false })).toBe("always; any amount");
  });
});

describe("the lines of public rules", () => {
  const linesOf = (rules: MessageInitShape<typeof PublicRulesSchema>) =>
    publicRulesLines(create(PublicRulesSchema, rules), UNITS, { ruleWords: RULE_WORDS, language: "en" });

  it("say the same as founders read, but for screening and priorities", () => {
    const bounds = { opensAt: 1_800_000_000n, minAmount: "1500000", maxAmount: "2000000000", maxPriceTicks: 2_000n };
    const groups = [
      { name: "Early", ...bounds, forcedLockup: true },
      { name: "Others", minAmount: "0" },
    ];
    const rules = { enabled: true, entityTypes: [EntityType.PERSON], countries: ["DE"], groups };
    expect(linesOf({ ...rules, maxWalletsPerEntity: 2, walletsScreened: true, defaultGroupName: "Others" })).toEqual([
      { label: "Who", text: "people" },
      { label: "Countries", text: "all but Germany" },
      { label: "Wallets", text: "up to 2 for each entity" },
      { label: "Screening", text: "each wallet, before it gets a permit" },
      { label: "Presence", text: "needn’t be proved" },
      {
        label: "Group “Early”",
        text: "from 2027-01-15 08:00 UTC",
        detail: "1.5 USDC to 2,000 USDC; at most 2 USDC per token; with lockup",
      },
      { label: "Group “Others”", text: "always", detail: "any amount; any price" },
      { label: "Everybody else", text: "takes part as in “Others”" },
    ]);
  });

  it("say first that nobody takes part now", () => {
    expect(linesOf({ maxWalletsPerEntity: 1 })[0]).toEqual({ label: "Taking part", text: "off" });
  });
});

describe("the changes of rules", () => {
  const after: RulesInit = { enabled: true, groups: [GROUP], defaultGroupUuid: "g" };

  it("are none between equal rules", () => {
    expect(ruleChanges(rulesOf(after), rulesOf(after), UNITS)).toEqual([]);
  });

  it("are in money and tokens, and countries by code in the log", () => {
    const group = {
      ...GROUP,
      opensAt: 1_800_000_000n,
      closesAt: 1_800_003_600n,
      minAmount: "1500000",
      maxAmount: "2000000000",
      minPriceTicks: 103n,
      forcedLockup: true,
    };
    const changed = rulesOf({ ...after, groups: [group], countries: ["US", "CU"] });
    expect(ruleChanges(rulesOf({}), changed, UNITS, { isBrief: true })).toEqual([
      { field: "Taking part", before: "off", after: "on" },
      { field: "Countries", before: "all", after: "all but CU, US" },
      {
        field: "Group “Early”",
        before: "",
        after:
          "from 2027-01-15 08:00 UTC until 2027-01-15 09:00 UTC; 1.5 USDC to 2,000 USDC; at least 0.103 USDC per token; with lockup",
      },
      {
        field: "Everybody else",
        before: "may not take part: only members of groups may",
        after: "takes part as in “Early”",
      },
    ]);
    expect(ruleChanges(changed, rulesOf({ ...after, groups: [] }), UNITS, { isBrief: true })).toContainEqual(
      expect.objectContaining({ field: "Group “Early”", after: "" }),
    );
  });

  it("name the host of a screener in the log, but nothing of its path, which may hold a key", () => {
    const screened = rulesOf({
      ...after,
      wallets: { maxWalletsPerEntity: 1, screenerUrl: "https://screener.example/secret?key=1" },
    });
    expect(ruleChanges(rulesOf(after), screened, UNITS, { isBrief: true })).toEqual([
      {
        field: "Screening",
        before: "none",
        after: "screener.example (if it doesn’t answer, no wallet passes)",
      },
    ]);
  });
});
