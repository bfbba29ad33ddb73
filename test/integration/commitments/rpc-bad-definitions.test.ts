import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  auction,
  auctionPricing,
  type DefinitionInit,
  draftSale,
  evmSource,
  fixedPricing,
  MINT,
  refusal,
  USDX,
  USDY,
  usdx,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

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
  ["an increment of 0", { pricing: auctionPricing({ incrementTicks: 0n }) }, "auction.increment_ticks"],
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
  ["parameters without names", { extraDataParameters: "uint64" }, "extra_data_parameters"],
  ["parameters of no type", { extraDataParameters: "uint65 tier" }, "extra_data_parameters"],
  ["parameters that end early", { extraDataParameters: "(uint64 tier" }, "extra_data_parameters"],
  ["parameters of 2,001 characters", { extraDataParameters: "x".repeat(2_001) }, "extra_data_parameters"],
];

const { priceTick: _tick, ...withoutTick } = auction();
const { pricing: _pricing, ...withoutPricing } = auction();

describeCommitments("a definition is refused", (service) => {
  const create = (saleUuid: string, definition: DefinitionInit) =>
    service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });

  it.each(badDefinitions)("with %s, naming the field", async (_, change, field) => {
    const saleUuid = randomUUID();
    expect(await violatedFields(create(saleUuid, auction(change)))).toEqual([`definition.${field}`]);
    expect(await refusal(service().sales.getSale({ saleUuid }))).toMatchObject({ code: "not_found" });
  });

  it("by UpdateSale as by CreateSale, and a draft stays as it is", async () => {
    const saleUuid = await draftSale(service());
    await expectUnchanged(service().database, saleUuid, async () => {
      for (const [description, change, field] of badDefinitions) {
        const update = { saleUuid, definition: auction(change), expectedDefinitionVersion: 1n };
        const fields = await violatedFields(service().sales.updateSale(update));
        expect([description, fields]).toEqual([description, [`definition.${field}`]]);
      }
    });
  });

  it.each([
    ["price tick", withoutTick, "definition.price_tick"],
    ["pricing", withoutPricing, "definition.pricing"],
  ])("without a %s", async (_, definition, field) => {
    expect(await violatedFields(create(randomUUID(), definition))).toEqual([field]);
  });

  it("with all violations at once", async () => {
    const wrong = auction({ name: "a\nb", pricing: auctionPricing({ offeredAmount: TOO_LARGE }), ...tokenOf("USDX") });
    expect(await violatedFields(create(randomUUID(), wrong))).toEqual([
      "definition.name",
      "definition.payment_tokens[0].address",
      "definition.auction.offered_amount",
    ]);
  });

  it.each([
    ["no definition", { definition: undefined }, "definition"],
    ["an invalid UUID", { saleUuid: "sale" }, "sale_uuid"],
    ["an invalid owner", { ownerAccountUuid: "me" }, "owner_account_uuid"],
    ["no tenancy", { tenancy: Tenancy.UNSPECIFIED }, "tenancy"],
    ["an unknown tenancy", { tenancy: 9 as Tenancy }, "tenancy"],
  ])("by CreateSale with %s", async (_, change, field) => {
    const { definition, ...request } = {
      saleUuid: randomUUID(),
      tenancy: Tenancy.TEST,
      definition: auction() as DefinitionInit | undefined,
      ...change,
    };
    const call = service().sales.createSale({ ...request, ...(definition === undefined ? {} : { definition }) });
    expect(await violatedFields(call)).toEqual([field]);
  });

  it.each([
    ["no definition", {}, "definition"],
    ["an invalid UUID", { saleUuid: "sale", definition: auction() }, "sale_uuid"],
    ["no version", { expectedDefinitionVersion: 0n, definition: auction() }, "expected_definition_version"],
  ])("by UpdateSale with %s", async (_, change, field) => {
    const saleUuid = await draftSale(service());
    const call = () => service().sales.updateSale({ saleUuid, expectedDefinitionVersion: 1n, ...change });
    const fields = await expectUnchanged(service().database, saleUuid, () => violatedFields(call()));
    expect(fields).toEqual([field]);
  });

  it("leaves the tenancy of a sale as it was set", async () => {
    const saleUuid = await draftSale(service());
    await service().sales.updateSale({ saleUuid, definition: auction({ name: "B" }), expectedDefinitionVersion: 1n });
    expect((await service().sales.getSale({ saleUuid })).sale).toMatchObject({ tenancy: Tenancy.TEST });
    const live = () => service().sales.createSale({ saleUuid, tenancy: Tenancy.LIVE, definition: auction() });
    expect(await expectUnchanged(service().database, saleUuid, () => refusal(live()))).toMatchObject({
      code: "already_exists",
    });
  });
});
