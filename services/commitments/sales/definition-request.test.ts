import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkSaleDefinition } from "../../../common/sale/definition/sale-definition.ts";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  auction,
  auctionPricing,
  type DefinitionInit,
  evmSource,
  fixedPricing,
  MINT,
  USDX,
  USDY,
  usdx,
} from "../../../test/support/sales/sale-messages.ts";
import { newDefinition, updatedDefinition } from "./definition-request.ts";

const TOO_LARGE = (2n ** 256n).toString();
const usdy18 = { address: USDY, decimals: 18 };
const svmSource = (saleAccount = MINT) => ({ case: "svm" as const, value: { chain: "solana", saleAccount } });
const tokenOf = (address: string) => ({ paymentTokens: [{ ...usdx, address }] });
const tick = (numerator: string, denominator: string) => ({ priceTick: { numerator, denominator } });
const mint = { address: MINT, decimals: 6 };

/** Mistakes, each with the field below `definition` that the answer names. */
const badDefinitions: [string, DefinitionInit, string][] = [
  ["no name", { name: "" }, "name"],
  ["a blank name", { name: " \u3000 " }, "name"],
  ["a control character", { name: "Tide\u0000mark" }, "name"],
  ["a line break", { name: "Tide\nmark" }, "name"],
  ["mark-up", { name: "<b>Tidemark" }, "name"],
  ["a host", { name: "log in at www.evil.example" }, "name"],
  ["a right-to-left mark", { name: "Tide\u200fmark" }, "name"],
  ["a bidirectional override", { name: "Tide\u202emark" }, "name"],
  ["201 characters", { name: "x".repeat(201) }, "name"],
  ["no token", { paymentTokens: [] }, "payment_tokens"],
  ["33 tokens", { paymentTokens: Array.from({ length: 33 }, () => usdx) }, "payment_tokens"],
  [
    "a repeated token",
    { paymentTokens: [usdx, { ...usdx, address: `0x${USDX.slice(2).toUpperCase()}` }] },
    "payment_tokens[1].address",
  ],
  ["a token without address", tokenOf(""), "payment_tokens[0].address"],
  ["a token that isn't an address", tokenOf("USDX"), "payment_tokens[0].address"],
  ["a bad checksum", tokenOf("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"), "payment_tokens[0].address"],
  ["a token of 37 decimals", { paymentTokens: [{ ...usdx, decimals: 37 }] }, "payment_tokens[0].decimals"],
  ["tokens of two kinds of chain", { paymentTokens: [usdx, mint] }, "payment_tokens[1].address"],
  ["an EVM token with an SVM source", { source: svmSource() }, "payment_tokens[0].address"],
  ["an SVM token with an EVM source", { ...tokenOf(MINT), source: evmSource() }, "payment_tokens[0].address"],
  [
    "two mints with an SVM source",
    { paymentTokens: [mint, { ...mint, address: `${"1".repeat(31)}2` }], source: svmSource() },
    "payment_tokens",
  ],
  ["no common decimals", { paymentTokens: [usdx, usdy18] }, "payment_token_decimals"],
  ["other decimals than the tokens'", { paymentTokenDecimals: 7 }, "payment_token_decimals"],
  ["37 decimals of amounts", { paymentTokens: [usdx, usdy18], paymentTokenDecimals: 37 }, "payment_token_decimals"],
  ["37 offered decimals", { offeredTokenDecimals: 37 }, "offered_token_decimals"],
  ["a price tick of 0", tick("0", "1"), "price_tick.numerator"],
  ["a negative price tick", tick("-1", "1"), "price_tick.numerator"],
  ["a price tick with a point", tick("1.5", "1"), "price_tick.numerator"],
  ["a price tick of 2^256", tick(TOO_LARGE, "1"), "price_tick.numerator"],
  ["a price tick over 0", tick("1", "0"), "price_tick.denominator"],
  ["a price tick over 2^256", tick("1", TOO_LARGE), "price_tick.denominator"],
  ["a price tick over nothing", tick("1", ""), "price_tick.denominator"],
  ["a fixed price of 0", { pricing: fixedPricing(0n) }, "fixed.price_ticks"],
  ["nothing offered", { pricing: auctionPricing({ offeredAmount: "0" }) }, "auction.offered_amount"],
  ["an offer with a leading zero", { pricing: auctionPricing({ offeredAmount: "01" }) }, "auction.offered_amount"],
  ["an offer with an exponent", { pricing: auctionPricing({ offeredAmount: "1e9" }) }, "auction.offered_amount"],
  ["an offer of 2^256", { pricing: auctionPricing({ offeredAmount: TOO_LARGE }) }, "auction.offered_amount"],
  ["an increment of 0", { pricing: auctionPricing({ incrementTicks: "0" }) }, "auction.increment_ticks"],
  ["a chain in capitals", { source: evmSource({ chain: "Ethereum" }) }, "evm.chain"],
  ["a chain of 64 characters", { source: evmSource({ chain: "x".repeat(64) }) }, "evm.chain"],
  ["no chain", { source: evmSource({ chain: "" }) }, "evm.chain"],
  ["a contract of 19 bytes", { source: evmSource({ contract: USDX.slice(0, -2) }) }, "evm.contract"],
  [
    "a contract with a bad checksum",
    { source: evmSource({ contract: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD" }) },
    "evm.contract",
  ],
  ["a sale account of 31 bytes", { paymentTokens: [mint], source: svmSource("1".repeat(31)) }, "svm.sale_account"],
  [
    "a sale account that isn't base58",
    { paymentTokens: [mint], source: svmSource("0".repeat(32)) },
    "svm.sale_account",
  ],
  ["a description with mark-up", { presentation: { description: "<b>" } }, "presentation.description"],
  ["a long description", { presentation: { description: "x".repeat(2_001) } }, "presentation.description"],
  ["a website that runs as a script", { presentation: { website: "javascript:alert(1)" } }, "presentation.website"],
  ["a long symbol", { presentation: { offeredTokenSymbol: "x".repeat(33) } }, "presentation.offered_token_symbol"],
  [
    "a sale that never opens",
    { presentation: { opensAtSeconds: 2n, closesAtSeconds: 1n } },
    "presentation.closes_at_seconds",
  ],
  [
    "a time after the year 9999",
    { presentation: { opensAtSeconds: 253_402_300_800n } },
    "presentation.opens_at_seconds",
  ],
  ["a total supply below what is offered", { presentation: { totalSupply: "1" } }, "presentation.total_supply"],
  ["parameters without names", { extraDataParameters: "uint64" }, "extra_data_parameters"],
  ["parameters of no type", { extraDataParameters: "uint65 tier" }, "extra_data_parameters"],
  ["parameters that end early", { extraDataParameters: "(uint64 tier" }, "extra_data_parameters"],
  ["parameters of 2,001 characters", { extraDataParameters: "x".repeat(2_001) }, "extra_data_parameters"],
];

const { priceTick: _tick, ...withoutTick } = auction();
const { pricing: _pricing, ...withoutPricing } = auction();

const messageOf = (definition: DefinitionInit) => create(SaleDefinitionSchema, definition);
const newChecked = async (definition: DefinitionInit) =>
  checkSaleDefinition(newDefinition({ definition: messageOf(definition) }));

/** Checks what a stored definition becomes by an update that sends a whole one. */
async function updatedChecked(definition: DefinitionInit) {
  return checkSaleDefinition(updatedDefinition(await newChecked(auction()), { definition: messageOf(definition) }));
}

async function fieldsOf(call: Promise<unknown>): Promise<string[]> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ServiceError)) throw new Error("nothing was refused", { cause: error });
  return error.violations.map(({ field }) => field);
}

describe("a definition that is sent", () => {
  it.each(badDefinitions)(
    "is refused with %s, naming the field, in a new sale and an update",
    async (_, change, field) => {
      const named = [`definition.${field}`];
      expect(await fieldsOf(newChecked(auction(change)))).toEqual(named);
      expect(await fieldsOf(updatedChecked(auction(change)))).toEqual(named);
    },
  );

  it.each([
    ["price tick", withoutTick, "definition.price_tick"],
    ["pricing", withoutPricing, "definition.pricing"],
  ])("is refused without a %s in a new sale", async (_, definition, field) => {
    expect(await fieldsOf(newChecked(definition))).toEqual([field]);
  });
});
