import type { JsonObject } from "@bufbuild/protobuf";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

/** The option for the version of a contract. */
export const CONTRACT_VERSION_OPTION = {
  type: "string",
  value: "N",
  help: "1 or 2: the version whose stages the contract has, if it has no version()",
} as const;

/** A sale's definition as options of the command line. */
export const DEFINITION_OPTIONS: CommandOptions = {
  name: { type: "string", value: "TEXT", help: "the name that people see" },
  token: {
    type: "string",
    multiple: true,
    value: "ADDRESS:DECIMALS[:usd]",
    help: "a payment token, `usd` for a USD stablecoin; may be repeated",
  },
  "payment-decimals": { type: "string", value: "N", help: "decimals of the total, if those of the tokens differ" },
  "offered-decimals": { type: "string", value: "N", help: "decimals of the token that is sold" },
  "price-tick": {
    type: "string",
    value: "N/D",
    help: "instead of --tick: smallest payment units per smallest offered unit",
  },
  "price-ticks": { type: "string", value: "N", help: "instead of --price: fixed price, in ticks" },
  "wide-prices": { type: "boolean", help: "prices may have up to 2^160-1 ticks, not only 2^64-1" },
  "offered-amount": { type: "string", value: "N", help: "instead of --offer: smallest units for sale" },
  "floor-ticks": { type: "string", value: "N", help: "instead of --floor: in ticks" },
  "increment-ticks": { type: "string", value: "N", help: "instead of --increment: in ticks" },
  "clearing-rule": {
    type: "string",
    value: "RULE",
    help: "auction in ticks: highest-covered (the default), or lowest-not-outbid, which has no increment",
  },
  chain: {
    type: "string",
    value: "NAME",
    help: "chain of the contract (see `chains`); without it, the sale is fed by RPC",
  },
  contract: { type: "string", value: "ADDRESS", help: "the sale contract on an EVM chain" },
  "contract-version": CONTRACT_VERSION_OPTION,
  "sale-account": { type: "string", value: "ADDRESS", help: "the sale account on a Solana chain" },
  "extra-data": { type: "string", value: "PARAMETERS", help: "types to decode extra data with, such as `uint64 tier`" },
  "cancelled-keeps-amounts": { type: "boolean", help: "the contract keeps the amounts of cancelled commitments" },
};

/** The options that a field of `SaleDefinition` comes from, by its path. */
export const DEFINITION_FLAGS: Readonly<Record<string, readonly string[]>> = {
  name: ["name"],
  payment_tokens: ["token"],
  payment_token_decimals: ["payment-decimals"],
  offered_token_decimals: ["offered-decimals"],
  price_tick: ["price-tick", "tick", "price", "increment"],
  "fixed.price_ticks": ["price", "price-ticks"],
  "auction.offered_amount": ["offer", "offered-amount"],
  "fixed.offered_amount": ["offer", "offered-amount"],
  "auction.floor_ticks": ["floor", "floor-ticks"],
  "auction.increment_ticks": ["increment", "increment-ticks"],
  "auction.clearing_rule": ["clearing-rule"],
  pricing: ["price"],
  "evm.chain": ["chain"],
  "svm.chain": ["chain"],
  "evm.contract": ["contract"],
  "svm.sale_account": ["sale-account"],
  extra_data_parameters: ["extra-data"],
  cancelled_keeps_amounts: ["cancelled-keeps-amounts"],
  wide_prices: ["wide-prices"],
};

/**
 * The part of a `SaleDefinition` in the options, in JSON form.
 *
 * @throws UsageError for options that exclude each other or are malformed.
 */
export function definitionOfFlags(input: CommandInput): JsonObject {
  const tokens = input.texts("token").map(parseToken);
  return {
    ...given("name", input.text("name")),
    ...(tokens.length === 0 ? {} : { paymentTokens: tokens }),
    ...given("paymentTokenDecimals", decimalsOf(input, "payment-decimals")),
    ...given("offeredTokenDecimals", decimalsOf(input, "offered-decimals")),
    ...given("priceTick", optional(input.text("price-tick"), parseFraction)),
    ...pricingOf(input),
    ...sourceOf(input),
    ...given("extraDataParameters", input.text("extra-data")),
    ...(input.flag("cancelled-keeps-amounts") ? { cancelledKeepsAmounts: true } : {}),
    ...(input.flag("wide-prices") ? { widePrices: true } : {}),
  };
}

/** Merges a file with options, which override it. A pricing or source in the options replaces the file's completely. */
export function mergeDefinitions(file: JsonObject, flags: JsonObject): JsonObject {
  const merged: JsonObject = { ...file };
  for (const kinds of [
    ["fixed", "auction"],
    ["evm", "svm"],
  ]) {
    if (kinds.some((kind) => kind in flags)) for (const kind of kinds) delete merged[kind];
  }
  return { ...merged, ...flags };
}

function pricingOf(input: CommandInput): JsonObject {
  const priceTicks = integerOf(input, "price-ticks");
  const offered = given("offeredAmount", integerOf(input, "offered-amount"));
  const rule = clearingRuleOf(input);
  const grid = {
    ...given("floorTicks", integerOf(input, "floor-ticks")),
    ...(rule === OUTBIDDING && { incrementTicks: "1" }),
    ...given("incrementTicks", integerOf(input, "increment-ticks")),
    ...given("clearingRule", rule),
  };
  if (priceTicks !== undefined && Object.keys(grid).length > 0)
    throw new UsageError("--price-ticks can't be combined with options of an auction");
  if (priceTicks !== undefined) return { fixed: { priceTicks, ...offered } };
  const auction = { ...offered, ...grid };
  return Object.keys(auction).length > 0 ? { auction } : {};
}

/** The rules of an auction, by their names on the command line. */
const OUTBIDDING = "CLEARING_RULE_LOWEST_NOT_OUTBID";
const CLEARING_RULES: Readonly<Record<string, string>> = {
  "highest-covered": "CLEARING_RULE_HIGHEST_COVERED",
  "lowest-not-outbid": OUTBIDDING,
};

/** Returns the rule of an auction in its option, as JSON has it; undefined without the option. @throws UsageError */
function clearingRuleOf(input: CommandInput): string | undefined {
  const name = input.text("clearing-rule");
  const rule = name === undefined ? undefined : CLEARING_RULES[name];
  if (name === undefined || rule !== undefined) return rule;
  throw new UsageError(
    `--clearing-rule expects ${Object.keys(CLEARING_RULES).join(" or ")}, not ${JSON.stringify(name)}`,
  );
}

/** The major version in an option. @throws UsageError */
export function contractVersionOf(input: CommandInput): number | undefined {
  const text = input.text("contract-version");
  if (text === undefined || text === "1" || text === "2") return text === undefined ? undefined : Number(text);
  throw new UsageError(`--contract-version expects 1 or 2, not ${JSON.stringify(text)}`);
}

function sourceOf(input: CommandInput): JsonObject {
  const chain = input.text("chain");
  const contract = input.text("contract");
  const saleAccount = input.text("sale-account");
  const contractVersion = contractVersionOf(input);
  if (contractVersion !== undefined && contract === undefined) {
    throw new UsageError("--contract-version requires --contract");
  }
  if (chain === undefined && contract === undefined && saleAccount === undefined) return {};
  if (chain !== undefined && contract !== undefined && saleAccount === undefined) {
    return { evm: { chain, contract, ...(contractVersion === undefined ? {} : { contractVersion }) } };
  }
  if (chain !== undefined && contract === undefined && saleAccount !== undefined) {
    return { svm: { chain, saleAccount } };
  }
  throw new UsageError("--chain requires either --contract or --sale-account, and they require --chain");
}

function decimalsOf(input: CommandInput, option: string): string | undefined {
  const text = input.text(option);
  if (text === undefined || /^\d{1,2}$/.test(text)) return text;
  throw new UsageError(`--${option} expects a whole number, not ${JSON.stringify(text)}`);
}

function integerOf(input: CommandInput, option: string): string | undefined {
  const text = input.text(option);
  if (text === undefined || /^\d{1,78}$/.test(text)) return text;
  throw new UsageError(`--${option} expects a whole number, not ${JSON.stringify(text)}`);
}

function parseToken(text: string): JsonObject {
  const [, address, decimals, usd] = /^([^:]+):(\d{1,2})(:usd)?$/.exec(text) ?? [];
  if (address === undefined || decimals === undefined) {
    throw new UsageError(`--token expects ADDRESS:DECIMALS or ADDRESS:DECIMALS:usd, not ${JSON.stringify(text)}`);
  }
  return { address, decimals: Number(decimals), usdStablecoin: usd !== undefined };
}

function parseFraction(text: string): JsonObject {
  const [, numerator, denominator] = /^(\d{1,78})\/(\d{1,78})$/.exec(text) ?? [];
  if (numerator === undefined || denominator === undefined) {
    throw new UsageError(`--price-tick expects N/D, such as 1/1000, not ${JSON.stringify(text)}`);
  }
  return { numerator, denominator };
}

function given(name: string, value: string | JsonObject | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function optional<T>(text: string | undefined, parse: (text: string) => T): T | undefined {
  return text === undefined ? undefined : parse(text);
}
