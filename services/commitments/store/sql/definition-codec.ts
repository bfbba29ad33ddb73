import type { Pricing, SaleDefinition } from "../../domain/sale/sale.ts";

/** The stored form of a pricing. Integers that may exceed 2^53 are decimal text. */
interface StoredPricing {
  readonly kind: Pricing["kind"];
  readonly priceTicks?: string;
  readonly offeredAmount?: string;
  readonly floorTicks?: string;
  readonly incrementTicks?: string;
}

interface StoredDefinition extends Omit<SaleDefinition, "priceTick" | "pricing"> {
  readonly priceTick: readonly [string, string];
  readonly pricing: StoredPricing;
}

/** Encodes a definition as JSON for its column. */
export function encodeDefinition(definition: SaleDefinition): string {
  const { numerator, denominator } = definition.priceTick;
  const stored: StoredDefinition = {
    ...definition,
    priceTick: [numerator.toString(), denominator.toString()],
    pricing: encodePricing(definition.pricing),
  };
  return JSON.stringify(stored);
}

export function decodeDefinition(text: string): SaleDefinition {
  const stored: StoredDefinition = JSON.parse(text);
  const [numerator, denominator] = stored.priceTick;
  return {
    ...stored,
    priceTick: { numerator: BigInt(numerator), denominator: BigInt(denominator) },
    pricing: decodePricing(stored.pricing),
  };
}

function encodePricing(pricing: Pricing): StoredPricing {
  if (pricing.kind === "fixed") return { kind: "fixed", priceTicks: pricing.priceTicks.toString() };
  return {
    kind: "auction",
    offeredAmount: pricing.offeredAmount.toString(),
    floorTicks: pricing.floorTicks.toString(),
    incrementTicks: pricing.incrementTicks.toString(),
  };
}

function decodePricing({ kind, priceTicks, offeredAmount, floorTicks, incrementTicks }: StoredPricing): Pricing {
  if (kind === "fixed") return { kind, priceTicks: BigInt(priceTicks ?? 0) };
  return {
    kind,
    offeredAmount: BigInt(offeredAmount ?? 0),
    floorTicks: BigInt(floorTicks ?? 0),
    incrementTicks: BigInt(incrementTicks ?? 0),
  };
}
