import { describe, expect, it } from "vitest";
import { ServiceError } from "../../platform/errors/service-error.ts";
import type { AuctionPricing, Source } from "./sale.ts";
import { checkSaleDefinition, type SaleDefinitionDraft } from "./sale-definition.ts";
import { UINT64_MAX, UINT256_MAX } from "./uint.ts";

const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const dai = "0x6b175474e89094c44da98b954eedeac495271d0f";
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const saleAccount = "3XxHCh947y1PAMK5y8oecBtaLU7TtTj9r4yMYwzFbJYs";

const token = (address: string, decimals = 6) => ({ address, decimals, usdStablecoin: true });
const auction: AuctionPricing = { kind: "auction", offeredAmount: 10n ** 24n, floorTicks: 0n, incrementTicks: 1n };
const evm: Source = { kind: "evm", chain: "ethereum", contract: usdc };
const svm: Source = { kind: "svm", chain: "solana-1", saleAccount };

const draft: SaleDefinitionDraft = {
  name: "Tidemark",
  paymentTokens: [token(usdc), token(dai)],
  offeredTokenDecimals: 18,
  priceTick: { numerator: 1n, denominator: 10n ** 15n },
  pricing: auction,
  source: evm,
  extraDataParameters: "uint64 tier",
  cancelledKeepsAmounts: false,
};

async function fieldsOf(change: Partial<SaleDefinitionDraft>, frozen?: number): Promise<string[]> {
  const error: unknown = await checkSaleDefinition({ ...draft, ...change }, { paymentTokenDecimals: frozen }).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error("nothing was refused", { cause: error });
  expect(error.code).toBe("invalid_argument");
  return error.violations.map(({ field, rule }) => `${field} ${rule}`);
}

describe("a checked definition", () => {
  it("has canonical addresses and name, and the tokens' own decimals", async () => {
    expect(await checkSaleDefinition({ ...draft, name: " Tidemark" })).toEqual({
      ...draft,
      paymentTokens: [token(usdc.toLowerCase()), token(dai)],
      paymentTokenDecimals: 6,
      source: { ...evm, contract: usdc.toLowerCase() },
    });
  });

  it("may offer all tokens that there are, and refuses by the field that was sent to offer more", async () => {
    const kept = { presentation: { totalSupply: 7n } };
    const offers = (offeredAmount: bigint) => ({ ...draft, ...kept, pricing: { ...auction, offeredAmount } });
    expect((await checkSaleDefinition(offers(7n), kept)).presentation).toEqual(kept.presentation);
    await expect(checkSaleDefinition(offers(8n), kept)).rejects.toMatchObject({
      violations: [{ field: "definition.auction.offered_amount", rule: "total_supply" }],
    });
  });

  it("keeps optional fields absent", async () => {
    const { offeredTokenDecimals: _, source: __, ...least } = draft;
    const checked = await checkSaleDefinition({ ...least, extraDataParameters: "" });
    expect(checked).not.toHaveProperty("source");
    expect(checked).not.toHaveProperty("offeredTokenDecimals");
  });

  it("may say which version's stages its contract has", async () => {
    for (const contractVersion of [1, 2]) {
      const checked = await checkSaleDefinition({ ...draft, source: { ...evm, contractVersion } });
      expect(checked).toMatchObject({ source: { contractVersion } });
    }
    expect(await fieldsOf({ source: { ...evm, contractVersion: 3 } })).toEqual([
      "definition.evm.contract_version contract_version",
    ]);
  });

  it("may be an auction, as which the sale then counts", async () => {
    const source = { ...evm, family: "cca" as const };
    const pricing = { ...auction, incrementTicks: 1n, clearingRule: "lowest_not_outbid" as const };
    const right = {
      ...{ source, pricing, priceTick: { numerator: 2n, denominator: 2n ** 97n } },
      ...{ widePrices: true as const, paymentTokens: [token(usdc)] },
    };
    expect(await checkSaleDefinition({ ...draft, ...right })).toMatchObject({ source: { family: "cca" } });
    const coin = token(`0x${"0".repeat(40)}`);
    expect(await checkSaleDefinition({ ...draft, ...right, paymentTokens: [coin] })).toMatchObject({
      paymentTokens: [{ address: coin.address }],
    });
    expect(await fieldsOf({ source, pricing: auction, paymentTokens: [token(usdc), coin] })).toEqual([
      "definition.price_tick auction_source",
      "definition.auction.clearing_rule auction_source",
      "definition.wide_prices auction_source",
      "definition.payment_tokens auction_source",
    ]);
    expect(await fieldsOf({ ...right, pricing: { kind: "fixed", priceTicks: 1n } })).toEqual([
      "definition.pricing auction_source",
    ]);
    expect(await fieldsOf({ ...right, source: { ...source, contractVersion: 2 } })).toEqual([
      "definition.evm.contract_version contract_version.family",
    ]);
  });

  it("may be of an SVM chain", async () => {
    const checked = await checkSaleDefinition({ ...draft, source: svm, paymentTokens: [token(mint)] });
    expect(checked).toMatchObject({ source: svm, paymentTokens: [{ address: mint }] });
  });

  it("may have several SVM tokens where it has no source", async () => {
    const { source: _, ...unsourced } = draft;
    await expect(
      checkSaleDefinition({ ...unsourced, paymentTokens: [token(mint), token(saleAccount)] }),
    ).resolves.toBeDefined();
  });

  it("may hold the largest and the smallest numbers", async () => {
    const largest = { numerator: UINT256_MAX, denominator: UINT256_MAX };
    const pricing = { ...auction, offeredAmount: UINT256_MAX, floorTicks: UINT64_MAX, incrementTicks: UINT64_MAX };
    await expect(checkSaleDefinition({ ...draft, priceTick: largest, pricing })).resolves.toBeDefined();
    const wide = { ...auction, floorTicks: 2n ** 160n - 1n, incrementTicks: 2n ** 160n - 1n };
    const q96 = { numerator: 1n, denominator: 2n ** 96n };
    const widePrices = true;
    await expect(checkSaleDefinition({ ...draft, priceTick: q96, pricing: wide, widePrices })).resolves.toBeDefined();
    await expect(checkSaleDefinition({ ...draft, paymentTokens: [token(dai, 36)] })).resolves.toBeDefined();
    const least = { priceTick: { numerator: 1n, denominator: 1n }, offeredTokenDecimals: 0 };
    await expect(checkSaleDefinition({ ...draft, ...least, paymentTokens: [token(dai, 0)] })).resolves.toBeDefined();
  });
});

describe("payment token decimals", () => {
  const mixed = [token(usdc, 6), token(dai, 18)];

  it("are the given ones where the tokens' own differ", async () => {
    const checked = await checkSaleDefinition({ ...draft, paymentTokens: mixed, paymentTokenDecimals: 8 });
    expect(checked.paymentTokenDecimals).toBe(8);
  });

  it("stay what they were once they are frozen", async () => {
    expect(await checkSaleDefinition({ ...draft, paymentTokens: mixed }, { paymentTokenDecimals: 6 })).toMatchObject({
      paymentTokenDecimals: 6,
    });
    expect(await checkSaleDefinition({ ...draft, paymentTokenDecimals: 9 }, { paymentTokenDecimals: 9 })).toMatchObject(
      {
        paymentTokenDecimals: 9,
      },
    );
  });

  it.each<[string, Partial<SaleDefinitionDraft>, number | undefined, string]>([
    ["missing where the tokens' own differ", { paymentTokens: mixed }, undefined, "required"],
    ["other than the tokens' own", { paymentTokenDecimals: 8 }, undefined, "differs"],
    ["other than the frozen ones", { paymentTokens: mixed, paymentTokenDecimals: 18 }, 6, "frozen"],
  ])("can't be %s", async (_, change, frozen, rule) => {
    const field = "definition.payment_token_decimals";
    expect(await fieldsOf(change, frozen)).toEqual([`${field} payment_token_decimals.${rule}`]);
  });
});

describe("a definition is refused", () => {
  it.each<[string, Partial<SaleDefinitionDraft>, string[]]>([
    ["without a name", { name: " " }, ["name name.empty"]],
    ["without tokens", { paymentTokens: [], paymentTokenDecimals: 6 }, ["payment_tokens payment_tokens.number"]],
    [
      "with a wrong checksum",
      { paymentTokens: [token(usdc.replace("A0", "a0"))] },
      ["payment_tokens[0].address address.checksum"],
    ],
    [
      "with text for an address",
      { paymentTokens: [token(dai), token("0x12")] },
      ["payment_tokens[1].address address.form"],
    ],
    [
      "with a token twice, in two spellings",
      { paymentTokens: [token(usdc), token(usdc.toLowerCase())] },
      ["payment_tokens[1].address payment_token.duplicate"],
    ],
    [
      "with an SVM token and an EVM source",
      { paymentTokens: [token(mint)] },
      ["payment_tokens[0].address address.form"],
    ],
    [
      "with an EVM token and an SVM source",
      { source: svm, paymentTokens: [token(dai)] },
      ["payment_tokens[0].address address.form"],
    ],
    [
      "with two mints and an SVM source",
      { source: svm, paymentTokens: [token(mint), token(saleAccount)] },
      ["payment_tokens payment_tokens.one_mint"],
    ],
    [
      "with decimals beyond 36",
      { paymentTokens: [token(dai, 37)], offeredTokenDecimals: 37 },
      ["payment_tokens[0].decimals decimals", "offered_token_decimals decimals"],
    ],
    ["with decimals that are no integer", { offeredTokenDecimals: 1.5 }, ["offered_token_decimals decimals"]],
    ["with negative decimals", { offeredTokenDecimals: -1 }, ["offered_token_decimals decimals"]],
    [
      "with a price tick of nothing",
      { priceTick: { numerator: 0n, denominator: 0n } },
      ["price_tick.numerator range", "price_tick.denominator range"],
    ],
    [
      "with a price tick beyond uint256",
      { priceTick: { numerator: UINT256_MAX + 1n, denominator: UINT256_MAX + 1n } },
      ["price_tick.numerator range", "price_tick.denominator range"],
    ],
    [
      "with nothing for sale at a fixed price",
      { pricing: { kind: "fixed", priceTicks: 1n, offeredAmount: 0n } },
      ["fixed.offered_amount range"],
    ],
    [
      "with fewer tokens than it offers",
      { presentation: { totalSupply: 1n } },
      ["presentation.total_supply total_supply"],
    ],
    ["with a fixed price of 0", { pricing: { kind: "fixed", priceTicks: 0n } }, ["fixed.price_ticks range"]],
    [
      "with a fixed price beyond uint64",
      { pricing: { kind: "fixed", priceTicks: UINT64_MAX + 1n } },
      ["fixed.price_ticks range"],
    ],
    [
      "with prices beyond 160 bits",
      { widePrices: true, pricing: { ...auction, floorTicks: 2n ** 160n, incrementTicks: 2n ** 160n } },
      ["auction.floor_ticks range", "auction.increment_ticks range"],
    ],
    [
      "with an auction of nothing",
      { pricing: { ...auction, offeredAmount: 0n, incrementTicks: 0n, floorTicks: -1n } },
      ["auction.offered_amount range", "auction.floor_ticks range", "auction.increment_ticks range"],
    ],
    [
      "with an auction beyond its integers",
      {
        pricing: {
          ...auction,
          offeredAmount: UINT256_MAX + 1n,
          incrementTicks: UINT64_MAX + 1n,
          floorTicks: UINT64_MAX + 1n,
        },
      },
      ["auction.offered_amount range", "auction.floor_ticks range", "auction.increment_ticks range"],
    ],
    [
      "with an EVM source that isn't one",
      { source: { ...evm, chain: "Ethereum Mainnet", contract: "0x" } },
      ["evm.chain chain.name", "evm.contract address.form"],
    ],
    [
      "with an SVM source that isn't one",
      { source: { ...svm, saleAccount: "0" }, paymentTokens: [token(mint)] },
      ["svm.sale_account address.form"],
    ],
    [
      "with extra data of an unknown type",
      { extraDataParameters: "uint65 a" },
      ["extra_data_parameters abi_parameters"],
    ],
  ])("%s", async (_, change, expected) => {
    expect(await fieldsOf(change)).toEqual(expected.map((violation) => `definition.${violation}`));
  });

  it("with two kinds of tokens: the first decides", async () => {
    const { source: _, ...unsourced } = draft;
    const mixed = { ...unsourced, paymentTokens: [token(mint), token(dai)] };
    await expect(checkSaleDefinition(mixed)).rejects.toThrow(
      "definition.payment_tokens[1].address: must be an SVM address",
    );
  });

  it("with more than 32 tokens", async () => {
    const tokens = Array.from({ length: 33 }, (_, index) => token(`0x${index.toString(16).padStart(40, "0")}`));
    expect(await fieldsOf({ paymentTokens: tokens })).toEqual(["definition.payment_tokens payment_tokens.number"]);
    await expect(checkSaleDefinition({ ...draft, paymentTokens: tokens.slice(1) })).resolves.toBeDefined();
  });

  it("with all violations at once", async () => {
    const change = { name: "", offeredTokenDecimals: 99, extraDataParameters: "(" };
    expect(await fieldsOf(change)).toHaveLength(3);
  });
});
