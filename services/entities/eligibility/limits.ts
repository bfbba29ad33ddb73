import type { SaleFacts } from "../base/sale-facts.ts";
import type { MatchedMember } from "../members/matching-members-store.ts";
import type { ParticipationGroup, ParticipationRules } from "../rules/participation-rules.ts";
import type { ChosenGroup } from "./entity-eligibility.ts";

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
