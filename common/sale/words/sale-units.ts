import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { moneyUnit, perText, tokenPrice } from "./definition-lines.ts";
import { groupedText, times, timesPowerOfTen } from "./exact-number.ts";
import { type ExactNumber, exactText } from "./exact-text.ts";

/** The units in which people write the amounts and prices of a sale. */
export interface SaleUnits {
  /** Decimals of the payment tokens. */
  readonly decimals: number;
  /** Name of the money, such as `USDC`. */
  readonly money: string;
  /** Unit of the offered token, such as `per token`. */
  readonly per: string;
  /** Price of one tick, in whole payment tokens. */
  readonly tick: ExactNumber;
  readonly isAuction: boolean;
}

/** Returns the units of a sale. */
export function saleUnits(definition: SaleDefinition): SaleUnits {
  return {
    decimals: definition.paymentTokens[0]?.decimals ?? 0,
    money: moneyUnit(definition.paymentTokens),
    per: perText(definition),
    tick: tokenPrice(definition, 1n),
    isAuction: definition.pricing.case === "auction",
  };
}

/** Returns an amount in smallest units as an entry, without its money. */
export function amountEntry({ decimals }: Pick<SaleUnits, "decimals">, amount: bigint): string {
  return entryText(timesPowerOfTen(whole(amount), -decimals));
}

/** Returns an amount in smallest units with its money. */
export function amountText(units: SaleUnits, amount: bigint): string {
  return `${amountEntry(units, amount)} ${units.money}`;
}

/** Returns a price in ticks as an entry. */
export function priceEntry({ tick }: SaleUnits, ticks: bigint): string {
  return entryText(times(tick, ticks));
}

/** Returns a price in ticks with its money. */
export function priceText(units: SaleUnits, ticks: bigint): string {
  return `${priceEntry(units, ticks)} ${units.money} ${units.per}`;
}

/** Returns a number with commas between thousands; a fraction without, as it couldn't be read back. */
function entryText(number: ExactNumber): string {
  const grouped = groupedText(number);
  return grouped.includes("/") ? exactText(number) : grouped;
}

function whole(number: bigint): ExactNumber {
  return { numerator: number, denominator: 1n };
}
