import type { SaleFacts } from "../base/sale-facts.ts";
import type { MatchedMember } from "../members/matching-members-store.ts";
import type { ParticipationGroup, ParticipationRules, RuledEntityType } from "../rules/participation-rules.ts";

/** The facts about an entity on which it depends whether it may take part in a sale, apart from time, group and wallet. */
export interface EligibilityFacts {
  readonly sale: Pick<SaleFacts, "tenancy">;
  readonly rules: ParticipationRules;
  readonly entity: {
    readonly type: RuledEntityType;
    /** ISO 3166-1 alpha-2; empty if it isn't known. */
    readonly country: string;
    /** Whether the set-up is complete and its approval hasn't ended. */
    readonly isComplete: boolean;
    /** The provider that approved it; absent unless it is complete. */
    readonly provider?: string | undefined;
  };
  readonly accountClosed: boolean;
  readonly frozen: boolean;
}

/** The facts about an entity in a sale at one moment. */
export interface ParticipantFacts {
  /** The facts for `saleEligibility`. */
  readonly eligibility: EligibilityFacts & { readonly members: readonly MatchedMember[] };
  readonly accountUuid: string;
  /** The applications from which the entity is hidden. */
  readonly hiddenFrom: ReadonlySet<string>;
}

/** Whether an entity may take part in a sale, as applications are told. */
export type SaleEligibility = "eligible" | "not_eligible" | "unknown_setup_incomplete";

/** Decides whether an entity may take part in a sale, as far as its set-up and the sale's rules decide it. */
export function saleEligibility(
  facts: EligibilityFacts & { readonly members: readonly MatchedMember[] },
): SaleEligibility {
  if (!isSetUp(facts)) return "unknown_setup_incomplete";
  const mayTakePart =
    facts.rules.enabled && !isExcluded(facts) && chosenGroup(facts.rules, facts.members) !== undefined;
  return mayTakePart ? "eligible" : "not_eligible";
}

/** Whether an entity may not take part, whatever its group: its set-up, account, type, country or a freeze excludes it. */
export function isExcluded(facts: EligibilityFacts): boolean {
  const { rules, entity, accountClosed, frozen } = facts;
  if (accountClosed || frozen || !isSetUp(facts)) return true;
  return !rules.entityTypes.includes(entity.type) || !isCountryAllowed(rules, entity.country);
}

/** Whether the set-up counts in the sale: live sales ignore approvals of the demo provider. */
function isSetUp({ entity, sale }: EligibilityFacts): boolean {
  return entity.isComplete && !(sale.tenancy === "live" && entity.provider === "demo");
}

/** An unknown country is allowed only where no country is excluded. */
function isCountryAllowed({ countryRule, countries }: ParticipationRules, country: string): boolean {
  if (countryRule === "only_listed") return countries.includes(country);
  return countries.length === 0 || (country !== "" && !countries.includes(country));
}

/** The group whose window and limits count for an entity. */
export interface ChosenGroup {
  readonly group: ParticipationGroup;
  /** The entity's memberships in it; none in a default group of which it is no member. */
  readonly members: readonly MatchedMember[];
}

/**
 * Chooses the group of an entity: of those in which it is a member the one with the greatest priority, of equal ones the
 * first listed; the default group if it is a member of none; undefined if there is none either.
 */
export function chosenGroup(
  { groups, defaultGroupUuid }: Pick<ParticipationRules, "groups" | "defaultGroupUuid">,
  members: readonly MatchedMember[],
): ChosenGroup | undefined {
  const joined = groups.filter(({ uuid }) => members.some(({ groupUuid }) => groupUuid === uuid));
  // The sort is stable: of equal priorities the first listed stays first.
  const [first] = joined.toSorted((a, b) => b.priority - a.priority);
  const group = first ?? groups.find(({ uuid }) => uuid === defaultGroupUuid);
  return group && { group, members: members.filter(({ groupUuid }) => groupUuid === group.uuid) };
}

/** The bounds of a total, in smallest units of a payment token. */
export interface AmountLimits {
  readonly minAmount: bigint;
  /** Absent: no bound. */
  readonly maxAmount?: bigint;
}

/** The bounds of an entity's bids. */
export interface BidLimits extends AmountLimits {
  /** Price ticks. */
  readonly minPrice: bigint;
  readonly maxPrice?: bigint;
  /** Seconds since 1970; 0 if the window has always been open. */
  readonly opensAt: bigint;
  readonly closesAt?: bigint;
  readonly forcedLockup: boolean;
}

/** Returns the bounds of an entity's bids in a group. */
export function bidLimits(
  { pricing }: Pick<SaleFacts, "pricing">,
  { bidsWithoutPrice }: Pick<ParticipationRules, "bidsWithoutPrice">,
  chosen: ChosenGroup,
): BidLimits {
  const { opensAt, closesAt, forcedLockup } = chosen.group;
  return {
    ...amountLimits(chosen),
    ...priceLimits(pricing, bidsWithoutPrice, chosen.group),
    opensAt,
    ...(closesAt !== undefined && { closesAt }),
    forcedLockup,
  };
}

/** Returns the bounds of an entity's total in a group: of several memberships, the least and the largest of their bounds. */
export function amountLimits({ group, members }: ChosenGroup): AmountLimits {
  const bounds = members.length === 0 ? [amountsOf(group)] : members.map((member) => memberAmounts(group, member));
  const maxima = bounds.map(({ maxAmount }) => maxAmount);
  const minAmount = bounds.map((each) => each.minAmount).reduce(least);
  const bounded = maxima.filter((maximum) => maximum !== undefined);
  return bounded.length < maxima.length ? { minAmount } : { minAmount, maxAmount: bounded.reduce(greatest) };
}

/** A member's own bound takes the place of the group's. The group's other bound gives way where the two exclude each other. */
function memberAmounts(group: ParticipationGroup, own: MatchedMember): AmountLimits {
  const minAmount = own.minAmount ?? group.minAmount;
  const maxAmount = own.maxAmount ?? group.maxAmount;
  if (maxAmount === undefined) return { minAmount };
  if (minAmount <= maxAmount) return { minAmount, maxAmount };
  return own.maxAmount === undefined ? { minAmount, maxAmount: minAmount } : { minAmount: maxAmount, maxAmount };
}

function amountsOf({ minAmount, maxAmount }: AmountLimits): AmountLimits {
  return maxAmount === undefined ? { minAmount } : { minAmount, maxAmount };
}

function priceLimits(
  pricing: SaleFacts["pricing"],
  bidsWithoutPrice: boolean,
  { minPriceTicks, maxPriceTicks }: ParticipationGroup,
): Pick<BidLimits, "minPrice" | "maxPrice"> {
  if (pricing.kind === "auction") {
    return { minPrice: minPriceTicks, ...(maxPriceTicks !== undefined && { maxPrice: maxPriceTicks }) };
  }
  const price = bidsWithoutPrice ? 0n : pricing.priceTicks;
  return { minPrice: price, maxPrice: price };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
