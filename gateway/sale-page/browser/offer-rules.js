// common/sale/figures/offer-state.ts without types, made by `npm run generate`.

export function offerState(facts, figures) {
  const { Amount } = facts.OfferedToken;
  const amount = Amount === undefined ? undefined : BigInt(Amount);
  const demand = BigInt(figures.TotalCommitmentAmount) - BigInt(figures.BelowFloorAmount ?? 0);
  const { ClearingPriceNumerator: numerator, ClearingPriceDenominator: denominator } = figures;
  if (numerator === undefined || denominator === undefined) return { amount, demand, price: fixedPrice(facts) };
  const price = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  const isUnsold =
    amount !== undefined && !isAboveFloor(price, facts) && demand * price.denominator < amount * price.numerator;
  return { amount, demand, price: { kind: isUnsold ? "floor" : "clearing", ...price } };
}

function isAboveFloor(price, facts) {
  const { FloorNumerator, FloorDenominator } = facts;
  if (FloorNumerator === undefined || FloorDenominator === undefined) return false;
  return price.numerator * BigInt(FloorDenominator) > BigInt(FloorNumerator) * price.denominator;
}

function fixedPrice({ PriceNumerator, PriceDenominator }) {
  if (PriceNumerator === undefined || PriceDenominator === undefined) return undefined;
  return { kind: "fixed", numerator: BigInt(PriceNumerator), denominator: BigInt(PriceDenominator) };
}
