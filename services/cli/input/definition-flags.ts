import type { JsonObject } from "@bufbuild/protobuf";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput, CommandOptions } from "../base/command.ts";

/** A sale's definition as options of the command line. */
export const DEFINITION_OPTIONS: CommandOptions = {
  name: { type: "string", value: "TEXT", help: "for people" },
  token: {
    type: "string",
    multiple: true,
    value: "ADDRESS:DECIMALS[:usd]",
    help: "a payment token, `usd` for a USD stablecoin; several times for several",
  },
  "payment-decimals": { type: "string", value: "N", help: "of the total, where the tokens' own differ" },
  "offered-decimals": { type: "string", value: "N", help: "of the token that is sold" },
  "price-tick": { type: "string", value: "N/D", help: "smallest payment units per smallest offered unit in one tick" },
  "price-ticks": { type: "string", value: "N", help: "fixed price, in ticks" },
  "offered-amount": { type: "string", value: "N", help: "auction: smallest units for sale" },
  "floor-ticks": { type: "string", value: "N", help: "auction: lowest clearing price, in ticks" },
  "increment-ticks": { type: "string", value: "N", help: "auction: step of the clearing price, in ticks" },
  chain: { type: "string", value: "NAME", help: "read from this chain (see `chains`); else fed by RPC" },
  contract: { type: "string", value: "ADDRESS", help: "the sale contract on an EVM chain" },
  "sale-account": { type: "string", value: "ADDRESS", help: "the sale account on a Solana chain" },
  "extra-data": { type: "string", value: "PARAMETERS", help: "how extra data decodes, such as `uint64 tier`" },
  "cancelled-keeps-amounts": { type: "boolean", help: "the contract leaves the amounts of what was cancelled" },
};

/**
 * The JSON form of `SaleDefinition`, as far as the options tell it.
 *
 * @throws UsageError for options that don't go together or have another form
 */
export function definitionOfFlags(input: CommandInput): JsonObject {
  const tokens = input.texts("token").map(parseToken);
  return {
    ...given("name", input.text("name")),
    ...(tokens.length === 0 ? {} : { paymentTokens: tokens }),
    ...given("paymentTokenDecimals", input.text("payment-decimals")),
    ...given("offeredTokenDecimals", input.text("offered-decimals")),
    ...given("priceTick", optional(input.text("price-tick"), parseFraction)),
    ...pricingOf(input),
    ...sourceOf(input),
    ...given("extraDataParameters", input.text("extra-data")),
    ...(input.flag("cancelled-keeps-amounts") ? { cancelledKeepsAmounts: true } : {}),
  };
}

/** What the options say goes before what the file says; a kind of pricing or source replaces the file's whole. */
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
  const priceTicks = input.text("price-ticks");
  const auction = {
    ...given("offeredAmount", input.text("offered-amount")),
    ...given("floorTicks", input.text("floor-ticks")),
    ...given("incrementTicks", input.text("increment-ticks")),
  };
  const isAuction = Object.keys(auction).length > 0;
  if (priceTicks !== undefined && isAuction) throw new UsageError("--price-ticks doesn't go with an auction's options");
  if (priceTicks !== undefined) return { fixed: { priceTicks } };
  return isAuction ? { auction } : {};
}

function sourceOf(input: CommandInput): JsonObject {
  const chain = input.text("chain");
  const contract = input.text("contract");
  const saleAccount = input.text("sale-account");
  if (chain === undefined && contract === undefined && saleAccount === undefined) return {};
  if (chain !== undefined && contract !== undefined && saleAccount === undefined) return { evm: { chain, contract } };
  if (chain !== undefined && contract === undefined && saleAccount !== undefined) {
    return { svm: { chain, saleAccount } };
  }
  throw new UsageError("--chain goes with --contract or --sale-account, and with one of them only");
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
