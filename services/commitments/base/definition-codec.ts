import type { ClearingRule, Pricing, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { SALE_FIELDS, type SalePresentation } from "../../../common/sale/definition/sale-fields.ts";

/** The stored form of a pricing. Integers that may exceed 2^53 are decimal text. */
interface StoredPricing {
  readonly kind: Pricing["kind"];
  readonly priceTicks?: string;
  readonly offeredAmount?: string;
  readonly floorTicks?: string;
  readonly incrementTicks?: string;
  readonly clearingRule?: ClearingRule;
}

/** The stored form of what people read about a sale: numbers are times, and texts may mean amounts. */
type StoredPresentation = Readonly<Record<string, string | number | boolean>>;

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

/** Fields that a later version has stored stay as they are, here and in `decodePresentation`. */
function encodePresentation(presentation: SalePresentation): StoredPresentation {
  const entries = Object.entries(presentation);
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "bigint" ? `${value}` : value]));
}

function decodePresentation(stored: StoredPresentation): SalePresentation {
  const amounts = SALE_FIELDS.filter(({ kind }) => kind === "amount").map(({ key }): string => key);
  const entries = Object.entries(stored);
  return Object.fromEntries(entries.map(([key, value]) => [key, amounts.includes(key) ? BigInt(value) : value]));
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
    ...(pricing.clearingRule && { clearingRule: pricing.clearingRule }),
  };
}

function decodePricing({ kind, priceTicks, offeredAmount, ...auction }: StoredPricing): Pricing {
  if (kind === "fixed") {
    const offered = offeredAmount !== undefined && { offeredAmount: BigInt(offeredAmount) };
    return { kind, priceTicks: BigInt(priceTicks ?? 0), ...offered };
  }
  return {
    kind,
    offeredAmount: BigInt(offeredAmount ?? 0),
    floorTicks: BigInt(auction.floorTicks ?? 0),
    incrementTicks: BigInt(auction.incrementTicks ?? 0),
    ...(auction.clearingRule && { clearingRule: auction.clearingRule }),
  };
}
