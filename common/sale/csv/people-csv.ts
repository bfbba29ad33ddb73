import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { PaymentToken, SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { ticksOf } from "../record/ticks.ts";
import { tokenPrice } from "../words/definition-lines.ts";
import { times } from "../words/exact-number.ts";
import { type ExactNumber, exactText } from "../words/exact-text.ts";
import { amountLines } from "./amount-lines.ts";
import type { CsvFormat } from "./csv-format.ts";
import { csvRecord } from "./csv-record.ts";
import { protectedField } from "./spreadsheet-field.ts";
import type { ZoneTimes } from "./zone-times.ts";

/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";
/** Decimals of a price that never ends as a decimal; it is rounded down. */
const PRICE_DECIMALS = 18;
const MAX_CACHED_PRICES = 10_000;

/**
 * Returns the format for people and their spreadsheets: amounts and prices in whole tokens with their symbols, times of a time
 * zone, and no field that a spreadsheet would run. It leaves out extra data and demand, and loses nothing else but the digits of prices that
 * never end.
 */
export function peopleFormat(definition: SaleDefinition, times: ZoneTimes): CsvFormat {
  const tokens = new Map(definition.paymentTokens.map((token) => [token.address.toLowerCase(), token]));
  const priceOf = priceTexts(definition);
  return {
    header: BYTE_ORDER_MARK + csvRecord(headerOf(definition, times)),
    *records(listed, saysAccepted) {
      for (const fields of rowsOf(listed, { times, tokens, priceOf, saysAccepted })) yield csvRecord(fields);
    },
  };
}

function headerOf({ paymentTokens, offeredTokenDecimals }: SaleDefinition, { zone }: ZoneTimes): readonly string[] {
  const [symbol = "", ...others] = new Set(paymentTokens.map((token) => token.symbol));
  const currency = others.length === 0 && symbol !== "" ? symbol : "payment tokens";
  const per = offeredTokenDecimals === undefined ? "smallest unit" : "token";
  return [
    `Time (${zone})`,
    "Ahead of UTC",
    "Wallet",
    "Amount",
    "Symbol",
    `Price (${currency} per ${per})`,
    "Counts",
    "Refunded",
    "Lockup",
    "Entity",
    "Commitment",
    "Token",
    "Accepted",
    "Paid back",
  ];
}

interface RowOptions {
  readonly times: ZoneTimes;
  readonly tokens: ReadonlyMap<string, PaymentToken>;
  /** Writes a price in ticks. */
  readonly priceOf: (ticks: bigint) => string;
  readonly saysAccepted: boolean;
}

function* rowsOf(
  { record, active }: ListedCommitment,
  { times, tokens, priceOf, saysAccepted }: RowOptions,
): Generator<string[]> {
  if (record === undefined) throw new TypeError("the answer has a commitment without its record");
  const { priceTicks, lockup, refunded, entityId, commitmentId } = record;
  const { local, offset } = times.at(Number(record.createdAtSeconds));
  const price = priceOf(ticksOf(priceTicks));
  for (const { wallet, token, amount, accepted, paidBack } of amountLines(record, saysAccepted)) {
    const { decimals = 0, symbol = "" } = tokens.get(token.toLowerCase()) ?? {};
    const inTokens = (units: string) => (units === "" ? "" : decimalText(units, decimals));
    const money = [inTokens(amount), protectedField(symbol), price];
    const flags = [active, refunded, lockup].map((flag) => (flag ? "yes" : "no"));
    yield [
      local,
      `UTC${offset}`,
      wallet,
      ...money,
      ...flags,
      hex(entityId),
      hex(commitmentId),
      token,
      ...[accepted, paidBack].map(inTokens),
    ];
  }
}

/** Returns a function that writes prices of whole tokens. The same prices come again and again. */
function priceTexts(definition: SaleDefinition): (ticks: bigint) => string {
  const { pricing } = definition;
  const fixedTicks = pricing.case === "fixed" ? ticksOf(pricing.value.priceTicks) : 0n;
  const tick = tokenPrice(definition, 1n);
  const cache = new Map<bigint, string>();
  return (bid) => {
    const ticks = bid === 0n ? fixedTicks : bid;
    const cached = cache.get(ticks);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_CACHED_PRICES) cache.clear();
    const text = priceText(times(tick, ticks));
    cache.set(ticks, text);
    return text;
  };
}

/** A fraction such as 1/3 would be a date to a spreadsheet. */
function priceText(price: ExactNumber): string {
  const exact = exactText(price);
  if (!exact.includes("/")) return exact;
  const { numerator, denominator } = price;
  return decimalText(String((numerator * 10n ** BigInt(PRICE_DECIMALS)) / denominator), PRICE_DECIMALS);
}

/** Returns a number of smallest units as a decimal, exactly. */
function decimalText(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const digits = units.padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = digits.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function hex(bytes: Uint8Array): string {
  return `0x${hexOfBytes(bytes)}`;
}
