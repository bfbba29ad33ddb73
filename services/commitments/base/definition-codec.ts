import type { Pricing, SaleDefinition, SalePresentation } from "../../../common/sale/definition/sale.ts";

/** The stored form of a pricing. Integers that may exceed 2^53 are decimal text. */
interface StoredPricing {
  readonly kind: Pricing["kind"];
  readonly priceTicks?: string;
  readonly offeredAmount?: string;
  readonly floorTicks?: string;
  readonly incrementTicks?: string;
}

interface StoredPresentation extends Omit<SalePresentation, "totalSupply"> {
  readonly totalSupply?: string;
}

interface StoredDefinition extends Omit<SaleDefinition, "priceTick" | "pricing" | "presentation"> {
  readonly priceTick: readonly [string, string];
  readonly pricing: StoredPricing;
  readonly presentation?: StoredPresentation;
}

/** Encodes a definition as JSON for its column. */
export function encodeDefinition({ presentation, ...definition }: SaleDefinition): string {
  const { numerator, denominator } = definition.priceTick;
  const stored: StoredDefinition = {
    ...definition,
    priceTick: [numerator.toString(), denominator.toString()],
    pricing: encodePricing(definition.pricing),
    ...(presentation && { presentation: encodePresentation(presentation) }),
  };
  return JSON.stringify(stored);
}

export function decodeDefinition(text: string): SaleDefinition {
  const { presentation, ...stored }: StoredDefinition = JSON.parse(text);
  const [numerator, denominator] = stored.priceTick;
  return {
    ...stored,
    priceTick: { numerator: BigInt(numerator), denominator: BigInt(denominator) },
    pricing: decodePricing(stored.pricing),
    ...(presentation && { presentation: decodePresentation(presentation) }),
  };
}

function encodePresentation({ totalSupply, ...presentation }: SalePresentation): StoredPresentation {
  return { ...presentation, ...(totalSupply !== undefined && { totalSupply: totalSupply.toString() }) };
}

function decodePresentation({ totalSupply, ...presentation }: StoredPresentation): SalePresentation {
  return { ...presentation, ...(totalSupply !== undefined && { totalSupply: BigInt(totalSupply) }) };
}

function encodePricing(pricing: Pricing): StoredPricing {
  if (pricing.kind === "fixed") {
    const { priceTicks, offeredAmount } = pricing;
    const offered = offeredAmount !== undefined && { offeredAmount: offeredAmount.toString() };
    return { kind: "fixed", priceTicks: priceTicks.toString(), ...offered };
  }
  return {
    kind: "auction",
    offeredAmount: pricing.offeredAmount.toString(),
    floorTicks: pricing.floorTicks.toString(),
    incrementTicks: pricing.incrementTicks.toString(),
  };
}

function decodePricing({ kind, priceTicks, offeredAmount, floorTicks, incrementTicks }: StoredPricing): Pricing {
  if (kind === "fixed") {
    const offered = offeredAmount !== undefined && { offeredAmount: BigInt(offeredAmount) };
    return { kind, priceTicks: BigInt(priceTicks ?? 0), ...offered };
  }
  return {
    kind,
    offeredAmount: BigInt(offeredAmount ?? 0),
    floorTicks: BigInt(floorTicks ?? 0),
    incrementTicks: BigInt(incrementTicks ?? 0),
  };
}
