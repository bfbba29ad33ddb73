/** The facts about what a sale offers, by their names in public JSON. */
export interface OfferFacts {
  readonly OfferedToken: { readonly Amount?: string };
  /** Only at a fixed price. */
  readonly PriceNumerator?: string;
  readonly PriceDenominator?: string;
  /** Only in an auction. */
  readonly FloorNumerator?: string;
  readonly FloorDenominator?: string;
}

/** The figures of a sale that say how much of its offer is taken, by their names in public JSON. */
export interface DemandFacts {
  readonly TotalCommitmentAmount: string;
  readonly BelowFloorAmount?: string;
  /** Only in an auction: its floor as long as nothing clears. */
  readonly ClearingPriceNumerator?: string;
  readonly ClearingPriceDenominator?: string;
}

/** Price at which a sale sells, and what it is: an auction has its floor while the demand doesn't pay for the offer. */
export interface OfferPrice {
  readonly kind: "clearing" | "floor" | "fixed";
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** How much of a sale's offer is taken. */
export interface OfferState {
  /** In smallest units of the offered token; undefined where it isn't known. */
  readonly amount: bigint | undefined;
  /** Sum that counts for the offer, in smallest payment units: what is bid below an auction's floor doesn't. */
  readonly demand: bigint;
  /** Undefined where it isn't known. */
  readonly price: OfferPrice | undefined;
}

/**
 * Returns how much of a sale's offer is taken, and at which price. All that a page calls a clearing price, a floor or a share of
 * the offer comes from here.
 */
export function offerState(facts: OfferFacts, figures: DemandFacts): OfferState {
  const { Amount } = facts.OfferedToken;
  const amount = Amount === undefined ? undefined : BigInt(Amount);
  const demand = BigInt(figures.TotalCommitmentAmount) - BigInt(figures.BelowFloorAmount ?? 0);
  const { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator } = figures;
  if (numerator === undefined || denominator === undefined) return { amount, demand, price: fixedPrice(facts) };
  const price = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  // By the usual rule the demand pays for the offer at any price above the floor; by another it may be less there, or weigh more than its amount.
  const isUnsold =
    amount !== undefined && !isAboveFloor(price, facts) && demand * price.denominator < amount * price.numerator;
  return { amount, demand, price: { kind: isUnsold ? "floor" : "clearing", ...price } };
}

function isAboveFloor(price: Pick<OfferPrice, "numerator" | "denominator">, facts: OfferFacts): boolean {
  const { FloorNumerator, FloorDenominator } = facts;
  if (FloorNumerator === undefined || FloorDenominator === undefined) return false;
  return price.numerator * BigInt(FloorDenominator) > BigInt(FloorNumerator) * price.denominator;
}

function fixedPrice({ PriceNumerator, PriceDenominator }: OfferFacts): OfferPrice | undefined {
  if (PriceNumerator === undefined || PriceDenominator === undefined) return undefined;
  return { kind: "fixed", numerator: BigInt(PriceNumerator), denominator: BigInt(PriceDenominator) };
}
