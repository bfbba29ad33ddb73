import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkOutboundUrl } from "../../../common/platform/outbound/outbound-url.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import { arbitraryRules } from "../testing/arbitrary-rules.ts";
import { sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { checkRules } from "./check-rules.ts";
import type { ParticipationRules } from "./participation-rules.ts";
import { rulesMessage, rulesOfMessage } from "./rules-message.ts";

function refusalOf(
  rules: ParticipationRules,
  sale: SaleFacts = sampleSale(),
  loopback = false,
): ServiceError | undefined {
  try {
    checkRules(rules, sale, (url) => checkOutboundUrl(url, { loopback }));
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const violated = (rules: ParticipationRules, sale?: SaleFacts) =>
  refusalOf(rules, sale)?.violations.map(({ field, rule }) => [field, rule]);

const OTHER = "00000000-0000-4000-8000-000000000002";
const withGroup = (given: Parameters<typeof sampleGroup>[0]) => sampleRules({ groups: [sampleGroup(given)] });
const withScreener = (screenerUrl: string) => sampleRules({ wallets: { ...sampleRules().wallets, screenerUrl } });

describe("rules of a sale whose permits the hook of an auction checks", () => {
  const auction = sampleSale({ contractFamily: "cca", widePrices: true });
  const hooked = (given: Parameters<typeof sampleGroup>[0] = {}) => ({ ...withGroup(given), payload: "none" as const });

  it("may bound amounts and times", () => {
    expect(refusalOf(hooked({ minAmount: 1n, maxAmount: 5n, opensAt: 9n, closesAt: 10n }), auction)).toBeUndefined();
  });

  it("have no payload, no lockup and no bounds of prices", () => {
    expect(violated(sampleRules(), auction)).toEqual([["rules.payload", "payload.auction"]]);
    expect(violated(hooked({ forcedLockup: true }), auction)).toEqual([
      ["rules.groups[0].forced_lockup", "forced_lockup.payload"],
    ]);
    expect(violated(hooked({ minPriceTicks: 1n, maxPriceTicks: 2n }), auction)).toEqual([
      ["rules.groups[0].min_price_ticks", "price.auction"],
      ["rules.groups[0].max_price_ticks", "price.auction"],
    ]);
    expect(violated(hooked({ minPriceTicks: 1n }), sampleSale())).toBeUndefined();
  });
});

describe("checkRules", () => {
  it.each([
    ["a group without bounds", sampleRules()],
    ["equal bounds", withGroup({ minAmount: 5n, maxAmount: 5n, minPriceTicks: 2n, maxPriceTicks: 2n })],
    ["a window of a second", withGroup({ opensAt: 9n, closesAt: 10n })],
    ["the largest amount", withGroup({ maxAmount: 2n ** 256n - 1n })],
    ["only members", sampleRules({ groups: [sampleGroup()] })],
    ["a forced lockup", withGroup({ forcedLockup: true })],
    ["countries", sampleRules({ countryRule: "only_listed", countries: ["DE", "CH"] })],
    ["a screener", withScreener("https://screener.example/v1?key=a")],
    [
      "no groups where taking part is off",
      sampleRules({ enabled: false, groups: [], defaultGroupUuid: undefined as never }),
    ],
  ])("takes %s", (_, rules) => {
    expect(refusalOf(rules)).toBeUndefined();
  });

  it.each([
    ["a code that is none", sampleRules({ countries: ["DE", "UK"] }), "rules.countries[1]", "country.code"],
    ["no country", sampleRules({ countryRule: "only_listed" }), "rules.countries", "country.none"],
    ["no group", sampleRules({ groups: [], defaultGroupUuid: undefined as never }), "rules.groups", "group.none"],
    [
      "another default group",
      sampleRules({ defaultGroupUuid: OTHER }),
      "rules.default_group_uuid",
      "default_group.unknown",
    ],
    [
      "a group twice",
      sampleRules({ groups: [sampleGroup(), sampleGroup({ name: "B" })] }),
      "rules.groups[1].uuid",
      "group.unique",
    ],
    [
      "a name twice",
      sampleRules({ groups: [sampleGroup(), sampleGroup({ uuid: OTHER })] }),
      "rules.groups[1].name",
      "group_name.unique",
    ],
    ["a name with a line break", withGroup({ name: "A\nB" }), "rules.groups[0].name", "group_name.form"],
    ["a name that changes the direction", withGroup({ name: "A\u202eB" }), "rules.groups[0].name", "group_name.form"],
    ["a name of spaces", withGroup({ name: " " }), "rules.groups[0].name", "group_name.form"],
    ["a name like a UUID", withGroup({ name: OTHER }), "rules.groups[0].name", "group_name.uuid"],
    ["an empty window", withGroup({ opensAt: 9n, closesAt: 9n }), "rules.groups[0].closes_at", "window.order"],
    ["a window in another age", withGroup({ opensAt: 253_402_300_800n }), "rules.groups[0].opens_at", "window.range"],
    [
      "a largest total below the least",
      withGroup({ minAmount: 2n, maxAmount: 1n }),
      "rules.groups[0].max_amount",
      "amount.order",
    ],
    ["a largest total of nothing", withGroup({ maxAmount: 0n }), "rules.groups[0].max_amount", "amount.zero"],
    ["an amount above 2^256-1", withGroup({ minAmount: 2n ** 256n }), "rules.groups[0].min_amount", "amount.range"],
    [
      "a greatest price below the least",
      withGroup({ minPriceTicks: 2n, maxPriceTicks: 1n }),
      "rules.groups[0].max_price_ticks",
      "price.order",
    ],
    [
      "a lockup that no payload tells",
      { ...withGroup({ forcedLockup: true }), payload: "none" as const },
      "rules.groups[0].forced_lockup",
      "forced_lockup.payload",
    ],
    [
      "a screener without TLS",
      withScreener("http://screener.example/"),
      "rules.wallets.screener_url",
      "screener_url.form",
    ],
    [
      "a screener with a password",
      withScreener("https://a:b@screener.example/"),
      "rules.wallets.screener_url",
      "screener_url.form",
    ],
    [
      "a screener in a private network",
      withScreener("https://[::ffff:10.0.0.1]/"),
      "rules.wallets.screener_url",
      "screener_url.form",
    ],
    ["a screener that is no URL", withScreener("screener"), "rules.wallets.screener_url", "screener_url.form"],
  ])("refuses %s", (_, rules, field, rule) => {
    expect(violated(rules)).toEqual([[field, rule]]);
  });

  it("bounds amounts by 2^64-1 on Solana, and takes screeners on this machine where the setting allows it", () => {
    const svm = sampleSale({ kind: "svm" });
    expect(violated(withGroup({ maxAmount: 2n ** 64n - 1n }), svm)).toBeUndefined();
    expect(violated(withGroup({ maxAmount: 2n ** 64n }), svm)).toEqual([
      ["rules.groups[0].max_amount", "amount.range"],
    ]);
    const local = withScreener("http://127.0.0.1:9/");
    expect(violated(local)).toEqual([["rules.wallets.screener_url", "screener_url.form"]]);
    expect(refusalOf(local, sampleSale(), true)).toBeUndefined();
  });

  it.each([
    ["tokens of different decimals", sampleSale({ paymentTokenDecimals: [6, 18] }), "different decimals"],
    ["a price above 2^53-1 ticks", sampleSale({ pricing: { kind: "fixed", priceTicks: 2n ** 53n } }), "2^53-1"],
    ["a settled sale", sampleSale({ status: "settled" }), "the sale is over"],
  ])("doesn't let taking part be on for %s", (_, sale, words) => {
    expect(refusalOf(sampleRules(), sale)).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining(words),
    });
    expect(refusalOf(sampleRules({ enabled: false }), sale)).toBeUndefined();
  });
});

it("keeps rules in messages exactly", () => {
  fc.assert(
    fc.property(arbitraryRules, (rules) => {
      // In messages 0 stands for an absent price.
      const groups = rules.groups.map(({ maxPriceTicks, ...group }) => ({
        ...group,
        ...(maxPriceTicks && { maxPriceTicks }),
      }));
      expect(rulesOfMessage(rulesMessage({ ...rules, groups }))).toEqual({ ...rules, groups });
    }),
  );
});
