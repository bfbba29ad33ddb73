import type { JsonObject } from "@bufbuild/protobuf";
import { timesPowerOfTen, wholeMultiple } from "../../../common/sale/words/exact-number.ts";
import { type ExactNumber, exactText } from "../../../common/sale/words/exact-text.ts";
import { NUMBER_WORDS } from "../../../common/sale/words/number-words.ts";
import { isNumber, readExactNumber } from "../../../common/sale/words/read-number.ts";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

/** Prices and amounts as people write them; a definition has them in ticks and smallest units. */
export const PRICE_OPTIONS: CommandOptions = {
  price: {
    type: "string",
    value: "PRICE",
    help: "fixed price of a whole offered token in payment tokens, such as 0.25",
  },
  offer: {
    type: "string",
    value: "AMOUNT",
    help: "offered tokens for sale, such as 1,000,000; an auction needs it",
  },
  floor: { type: "string", value: "PRICE", help: "auction: lowest clearing price, such as 0.10" },
  increment: { type: "string", value: "PRICE", help: "auction: step of the clearing price, such as 0.005" },
  tick: { type: "string", value: "PRICE", help: "the unit of prices; by default the price or the increment itself" },
};

/** Options that a sale at a fixed price doesn't have. */
const AUCTION_OPTIONS = ["floor", "increment"];

/** Options that say the same in ticks and smallest units, and that of a rule whose prices lie on no grid. */
const RAW_OPTIONS = ["price-tick", "price-ticks", "offered-amount", "floor-ticks", "increment-ticks", "clearing-rule"];

/**
 * Returns the definition with the prices and amounts of the options, converted by the definition's decimals.
 *
 * @throws UsageError naming the option that can't be read or converted, or is missing
 */
export function withPrices(input: CommandInput, definition: JsonObject): JsonObject {
  const given = Object.keys(PRICE_OPTIONS).filter((option) => input.text(option) !== undefined);
  if (given.length === 0) return definition;
  const raw = RAW_OPTIONS.find((option) => input.text(option) !== undefined);
  if (raw !== undefined) throw new UsageError(`--${given[0]} can't be combined with --${raw}`);
  const isFixed = input.text("price") !== undefined;
  const ofAuction = given.find((option) => AUCTION_OPTIONS.includes(option));
  if (isFixed && ofAuction !== undefined) throw new UsageError(`--price can't be combined with --${ofAuction}`);
  const { fixed: _, auction: __, ...others } = definition;
  return { ...others, ...(isFixed ? fixedPrice(input, definition) : auctionPrices(input, definition)) };
}

function fixedPrice(input: CommandInput, definition: JsonObject): JsonObject {
  const price = positive(input, "price");
  const tick = tickOf(input, price);
  const offered = input.text("offer") !== undefined && { offeredAmount: offeredUnits(input, definition) };
  return {
    priceTick: tickFraction(tick, definition),
    fixed: { priceTicks: ticksOf("price", price, tick), ...offered },
  };
}

function auctionPrices(input: CommandInput, definition: JsonObject): JsonObject {
  const increment = positive(input, "increment");
  const tick = tickOf(input, increment);
  const floor = input.text("floor") === undefined ? undefined : numberOf(input, "floor");
  const offeredAmount = offeredUnits(input, definition);
  return {
    priceTick: tickFraction(tick, definition),
    auction: {
      offeredAmount,
      floorTicks: floor === undefined ? "0" : ticksOf("floor", floor, tick),
      incrementTicks: ticksOf("increment", increment, tick),
    },
  };
}

/** Returns the smallest units of `--offer`. */
function offeredUnits(input: CommandInput, definition: JsonObject): string {
  return wholeUnits("offer", positive(input, "offer"), offeredDecimals(definition));
}

/**
 * Returns a number of tokens in smallest units.
 *
 * @throws UsageError naming the option where the number has more decimals than the token
 */
export function wholeUnits(option: string, tokens: ExactNumber, decimals: number): string {
  const { numerator, denominator } = timesPowerOfTen(tokens, decimals);
  if (denominator === 1n) return numerator.toString();
  throw new UsageError(`--${option} has more decimals than the token (--offered-decimals ${decimals})`);
}

function tickOf(input: CommandInput, step: ExactNumber): ExactNumber {
  return input.text("tick") === undefined ? step : positive(input, "tick");
}

function ticksOf(option: string, price: ExactNumber, tick: ExactNumber): string {
  const ticks = wholeMultiple(price, tick);
  if (ticks !== undefined) return ticks.toString();
  throw new UsageError(`--${option} must be a multiple of the price tick, ${exactText(tick)}`);
}

/** The price of a whole offered token as smallest payment units for one smallest offered unit. */
function tickFraction(tick: ExactNumber, definition: JsonObject): JsonObject {
  const exact = timesPowerOfTen(tick, paymentDecimals(definition) - offeredDecimals(definition));
  return { numerator: exact.numerator.toString(), denominator: exact.denominator.toString() };
}

function offeredDecimals({ offeredTokenDecimals }: JsonObject): number {
  if (offeredTokenDecimals !== undefined) return Number(offeredTokenDecimals);
  throw new UsageError("--offered-decimals is missing: prices and amounts are converted by it");
}

function paymentDecimals({ paymentTokenDecimals, paymentTokens }: JsonObject): number {
  const [first] = Array.isArray(paymentTokens) ? paymentTokens : [];
  const ofFirst = typeof first === "object" && first !== null && "decimals" in first ? first["decimals"] : undefined;
  const decimals = paymentTokenDecimals ?? ofFirst;
  if (decimals !== undefined) return Number(decimals);
  throw new UsageError("--token is missing: prices are converted by its decimals");
}

/** Reads a number above 0. @throws UsageError naming the option */
export function positive(input: CommandInput, option: string): ExactNumber {
  const number = numberOf(input, option);
  if (number.numerator > 0n) return number;
  throw new UsageError(`--${option} must be more than 0`);
}

function numberOf(input: CommandInput, option: string): ExactNumber {
  const text = input.text(option);
  if (text === undefined) throw new UsageError(`--${option} is missing`);
  const number = readExactNumber(text, NUMBER_WORDS, "en");
  if (isNumber(number)) return number;
  throw new UsageError(`--${option} ${JSON.stringify(text)}: ${lowerFirst(number.reason)}`);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
