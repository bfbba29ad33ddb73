import type { EligibilityDecision, WalletEligibilityFacts } from "../eligibility/decide.ts";
import type { ParticipationGroup } from "../rules/participation-rules.ts";

/** The decision of `decideEligibility`, written from the rules as one list of conditions, without its functions. */
export function naiveDecision(facts: WalletEligibilityFacts): EligibilityDecision {
  const { sale, rules, entity, members } = facts;
  const group = naiveGroup(facts);
  const price = sale.pricing.kind === "fixed" ? sale.pricing.priceTicks : sale.pricing.floorTicks;
  const conditions = [
    ["sale-not-active", sale.status !== "open"],
    ["sale-not-active", sale.stage !== "commitment" && sale.stage !== "pre_open"],
    ["sale-not-active", !rules.enabled || facts.permitsStopped],
    ["sale-not-active", sale.kind === undefined || price > 9_007_199_254_740_991n],
    ["sale-not-active", sale.paymentTokenDecimals.some((decimals) => decimals !== sale.paymentTokenDecimals[0])],
    ["unknown", !entity.isComplete || facts.accountClosed || facts.frozen || group === undefined],
    ["unknown", entity.provider === "demo" && sale.tenancy === "live"],
    ["unknown", !rules.entityTypes.some((type) => type === entity.type)],
    ["unknown", rules.countryRule === "only_listed" && !rules.countries.some((code) => code === entity.country)],
    [
      "unknown",
      rules.countryRule === "all_but_listed" &&
        rules.countries.some((code) => code === entity.country || entity.country === ""),
    ],
    ["outside-time-window", group !== undefined && facts.nowSeconds < group.opensAt],
    ["outside-time-window", group?.closesAt !== undefined && facts.nowSeconds >= group.closesAt],
    ["wallet-not-linked", facts.wallet === "not_linked"],
    ["max-wallets-used", facts.wallet === "max_wallets_used"],
    ["wallet-risk", facts.walletRisk],
    ["requires-liveness", rules.livenessRequired && !facts.livenessProved],
  ] as const;
  const failed = conditions.find(([, holds]) => holds);
  if (failed !== undefined || group === undefined) return { kind: "refused", reason: failed?.[0] ?? "unknown" };
  const own = members.filter(({ groupUuid }) => groupUuid === group.uuid);
  return {
    kind: "ready",
    group,
    limits: {
      ...naiveAmounts(group, own),
      ...naivePrices(facts, group),
      opensAt: group.opensAt,
      ...(group.closesAt !== undefined && { closesAt: group.closesAt }),
      forcedLockup: group.forcedLockup,
    },
    payload: rules.payload,
    memberKeys: own.filter(({ binds }) => binds).map(({ keyMac }) => keyMac),
  };
}

/** Looks for the group from the highest priority down, in the order of the list. */
function naiveGroup({ rules, members }: WalletEligibilityFacts): ParticipationGroup | undefined {
  for (let priority = 1_000; priority >= 0; priority -= 1) {
    for (const group of rules.groups) {
      if (group.priority !== priority) continue;
      for (const member of members) if (member.groupUuid === group.uuid) return group;
    }
  }
  for (const group of rules.groups) if (group.uuid === rules.defaultGroupUuid) return group;
  return undefined;
}

/** Stands for "no bound", above every amount. */
const UNBOUNDED = 2n ** 300n;

function naiveAmounts(group: ParticipationGroup, members: WalletEligibilityFacts["members"]) {
  let [minAmount, maxAmount] = [UNBOUNDED, -1n];
  for (const own of members.length === 0 ? [{}] : members) {
    const bounds: { minAmount?: bigint; maxAmount?: bigint } = own;
    let [least, most] = [group.minAmount, group.maxAmount ?? UNBOUNDED];
    if (bounds.minAmount !== undefined) least = bounds.minAmount;
    if (bounds.maxAmount !== undefined) most = bounds.maxAmount;
    if (least > most && bounds.maxAmount !== undefined) least = most;
    else if (least > most && bounds.minAmount !== undefined) most = least;
    if (least < minAmount) minAmount = least;
    if (most > maxAmount) maxAmount = most;
  }
  return maxAmount === UNBOUNDED ? { minAmount } : { minAmount, maxAmount };
}

function naivePrices({ sale: { pricing }, rules }: WalletEligibilityFacts, group: ParticipationGroup) {
  if (pricing.kind === "fixed" && rules.bidsWithoutPrice) return { minPrice: 0n, maxPrice: 0n };
  if (pricing.kind === "fixed") return { minPrice: pricing.priceTicks, maxPrice: pricing.priceTicks };
  const { minPriceTicks, maxPriceTicks } = group;
  return maxPriceTicks === undefined
    ? { minPrice: minPriceTicks }
    : { minPrice: minPriceTicks, maxPrice: maxPriceTicks };
}
