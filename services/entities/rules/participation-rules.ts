import { hasPermitHook } from "../../../common/sale/definition/contract-family.ts";
import type { SaleFacts } from "../base/sale-facts.ts";

/** The kind of an entity that may take part. */
export type RuledEntityType = "person" | "organization";

/** Members of a sale that share a window and limits. */
export interface ParticipationGroup {
  /** Lower case. */
  readonly uuid: string;
  readonly name: string;
  /** The beginning of the window, inclusive, in seconds since 1970; 0 if it has always been open. */
  readonly opensAt: bigint;
  /** The end of the window, exclusive; absent if it doesn't end. */
  readonly closesAt?: bigint;
  /** The least total of an entity, in smallest units of a payment token; 0 if there is no bound. */
  readonly minAmount: bigint;
  /** The largest total of an entity; absent if there is no bound. */
  readonly maxAmount?: bigint;
  /** The least price of a bid, in ticks. It counts in auctions only. */
  readonly minPriceTicks: bigint;
  /** The greatest price of a bid; absent if there is no bound. */
  readonly maxPriceTicks?: bigint;
  readonly forcedLockup: boolean;
  /** The group with the greatest priority counts for an entity that is a member of several; of equal ones, the first. */
  readonly priority: number;
}

/** The wallets that a sale accepts. */
export interface WalletRules {
  /** 1 to 255. */
  readonly maxWalletsPerEntity: number;
  /** Whether a wallet must be linked by a signature before it gets a permit. */
  readonly linkingRequired: boolean;
  /** Whether the sale's deny list counts. */
  readonly denyList: boolean;
  /** An https URL that is asked about each wallet; empty for none. */
  readonly screenerUrl: string;
  /** Whether wallets that can't be screened get no permit (`closed`) or count as clean (`open`). */
  readonly onScreeningFailure: "closed" | "open";
}

/** Who may take part in a sale, when, and with how much. */
export interface ParticipationRules {
  readonly enabled: boolean;
  readonly countryRule: "all_but_listed" | "only_listed";
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  readonly entityTypes: readonly RuledEntityType[];
  readonly groups: readonly ParticipationGroup[];
  /** The group of entities that are members of none; absent if only members may take part. */
  readonly defaultGroupUuid?: string;
  readonly wallets: WalletRules;
  readonly livenessRequired: boolean;
  /** The payload of permits: none, or the settings that the reference contract's settlement sale reads. */
  readonly payload: "none" | "settlement";
  /** Whether a permit of a sale at a fixed price bounds bids by the price 0 and not by the sale's price. */
  readonly bidsWithoutPrice: boolean;
  /** Whether everybody may read the rules, but for what `publicRulesMessage` leaves out. */
  readonly onSalePage: boolean;
}

/** The rules of a sale that has none yet: taking part is off. */
export const DEFAULT_RULES: ParticipationRules = {
  enabled: false,
  countryRule: "all_but_listed",
  countries: [],
  entityTypes: ["person", "organization"],
  groups: [],
  wallets: {
    maxWalletsPerEntity: 1,
    linkingRequired: false,
    denyList: true,
    screenerUrl: "",
    onScreeningFailure: "closed",
  },
  livenessRequired: false,
  payload: "settlement",
  bidsWithoutPrice: false,
  onSalePage: false,
};

/** The greatest number that JSON holds exactly. Prices and times of a permit never exceed it. */
const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/** The facts about a sale on which it depends whether permits can be issued for it at all. */
type PermitFacts = Pick<SaleFacts, "kind" | "contractFamily" | "pricing" | "widePrices" | "paymentTokenDecimals">;

/**
 * Returns why no permits can be issued for a sale, in words; nothing if they can. A permit for a Continuous Clearing Auction bounds no
 * price (`checkRules`), so that its prices may have any size: the auction's own floor holds.
 */
export function permitProblems(sale: PermitFacts): readonly string[] {
  const { kind, contractFamily, pricing, paymentTokenDecimals } = sale;
  const isBounded = !hasPermitHook(contractFamily);
  const widePrices = sale.widePrices && isBounded;
  const ticks = pricing.kind === "fixed" ? pricing.priceTicks : pricing.floorTicks;
  const price = pricing.kind === "fixed" ? "price" : "lowest price";
  return [
    ...(kind === undefined ? ["the sale has no contract that would check permits"] : []),
    ...(new Set(paymentTokenDecimals).size > 1
      ? ["the payment tokens have different decimals, so one amount can't bound them all"]
      : []),
    ...(widePrices ? ["its prices can have 160 bits, and a permit bounds prices of 2^53-1 price ticks at most"] : []),
    ...(isBounded && !widePrices && ticks > MAX_JSON_INTEGER
      ? [`the ${price} exceeds 2^53-1 price ticks: choose a larger price tick`]
      : []),
  ];
}

type StoredGroup = {
  readonly [Field in keyof ParticipationGroup]: ParticipationGroup[Field] extends bigint | undefined
    ? string
    : ParticipationGroup[Field];
};

interface StoredRules extends Omit<ParticipationRules, "groups" | "onSalePage"> {
  readonly groups: readonly StoredGroup[];
  /** Absent in rules that were stored by a version without it. */
  readonly onSalePage?: boolean;
}

/** Writes rules as JSON for the store, their integers as text, because a JSON number isn't exact. */
export function rulesText(rules: ParticipationRules): string {
  return JSON.stringify(rules, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

/** Reads what `rulesText` wrote. */
export function rulesOfText(text: string): ParticipationRules {
  const { groups, onSalePage = false, ...others } = JSON.parse(text) as StoredRules;
  return { ...others, groups: groups.map(groupOf), onSalePage };
}

function groupOf(stored: StoredGroup): ParticipationGroup {
  const { opensAt, closesAt, minAmount, maxAmount, minPriceTicks, maxPriceTicks, ...others } = stored;
  return {
    ...others,
    opensAt: BigInt(opensAt),
    ...(closesAt !== undefined && { closesAt: BigInt(closesAt) }),
    minAmount: BigInt(minAmount),
    ...(maxAmount !== undefined && { maxAmount: BigInt(maxAmount) }),
    minPriceTicks: BigInt(minPriceTicks),
    ...(maxPriceTicks !== undefined && { maxPriceTicks: BigInt(maxPriceTicks) }),
  };
}
