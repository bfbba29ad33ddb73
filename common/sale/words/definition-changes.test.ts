import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ClearingRule, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { definitionChanges } from "./definition-changes.ts";

const USDC = { address: "0xa", decimals: 6, usdStablecoin: true };
const USDT = { ...USDC, address: "0xb" };
type Definition = Exclude<MessageInitShape<typeof SaleDefinitionSchema>, { $typeName: string }>;
const BEFORE: Definition = {
  name: "Harbour",
  paymentTokens: [USDC],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: "1", denominator: "200000000000000" },
  pricing: { case: "fixed", value: { priceTicks: "20" } },
  source: { case: "evm", value: { chain: "harbour", contract: "0xc" } },
};
const before = create(SaleDefinitionSchema, BEFORE);
const changesTo = (after: Definition) =>
  definitionChanges(before, create(SaleDefinitionSchema, { ...BEFORE, ...after }));

it("an unchanged definition has none", () => {
  expect(changesTo({})).toEqual([]);
});

it("prices are in money", () => {
  expect(changesTo({ pricing: { case: "fixed", value: { priceTicks: "30" } } })).toEqual([
    { field: "Price", before: "0.1 dollars per token", after: "0.15 dollars per token" },
  ]);
});

it("a token that is added has nothing before", () => {
  expect(changesTo({ paymentTokens: [USDC, USDT] })).toEqual([
    { field: "Paid in", before: "", after: "0xb, 6 decimals, a dollar stablecoin" },
  ]);
});

it("every other setting has its name", () => {
  const { source: _, ...unsourced } = BEFORE;
  const other = create(SaleDefinitionSchema, {
    ...unsourced,
    name: "Pier",
    extraDataParameters: "uint64 tier",
    cancelledKeepsAmounts: true,
  });
  expect(definitionChanges(before, other)).toEqual([
    { field: "Name", before: "Harbour", after: "Pier" },
    { field: "Commitments", before: "read from 0xc on harbour", after: "sent by a service, not read from a contract" },
    { field: "Extra data", before: "", after: "uint64 tier" },
    { field: "Cancelled commitments", before: "lose their amounts", after: "keep their amounts" },
  ]);
});

it("an amount for sale and a total supply are in tokens", () => {
  const pricing = { case: "fixed" as const, value: { priceTicks: "20", offeredAmount: `${10n ** 21n}` } };
  expect(changesTo({ pricing, presentation: { totalSupply: `${10n ** 24n}` } })).toEqual([
    { field: "For sale", before: "", after: "1,000 tokens" },
    { field: "Total supply", before: "", after: "1,000,000 tokens" },
  ]);
});

it("the version of a contract is one", () => {
  const source = { case: "evm" as const, value: { chain: "harbour", contract: "0xc", contractVersion: 1 } };
  expect(changesTo({ source })).toEqual([{ field: "Stages of the contract", before: "", after: "of version 1" }]);
});

it("a price of 160 bits that changes by a tick is a change, although it reads as before", () => {
  const priceTick = { numerator: "1", denominator: String(2n ** 96n) };
  const pricing = (ticks: bigint) => ({ case: "fixed" as const, value: { priceTicks: String(ticks) } });
  const [before, after] = [3n, 4n].map((ticks) =>
    create(SaleDefinitionSchema, { priceTick, widePrices: true, pricing: pricing(5n * 2n ** 96n + ticks) }),
  );
  if (before === undefined || after === undefined) throw new Error("there are two definitions");
  const changes = definitionChanges(before, after);
  expect(changes).toMatchObject([{ field: "Price" }]);
  expect(changes[0]?.before).not.toBe(changes[0]?.after);
});

it("a rounded price of one tick has its exact value in the change, too", () => {
  const priceTick = { numerator: "1", denominator: String(2n ** 96n * 10n ** 20n) };
  const value = { offeredAmount: "1", floorTicks: "1", incrementTicks: "1" };
  const [before, after] = [priceTick, { numerator: "1", denominator: "1" }].map((tick) =>
    create(SaleDefinitionSchema, { priceTick: tick, widePrices: true, pricing: { case: "auction", value } }),
  );
  if (before === undefined || after === undefined) throw new Error("there are two definitions");
  const texts = definitionChanges(before, after).map((change) => change.before);
  const exact = /, 1 price tick of 1\/7,922,816,[\d,]+ payment tokens$/;
  expect(texts).toEqual([
    expect.stringMatching(exact),
    expect.stringMatching(exact),
    expect.stringContaining("1/7,922,816,"),
  ]);
});

it("the rule of an auction is a change, which takes the place of the step of its grid", () => {
  const value = { offeredAmount: "1", floorTicks: "1", incrementTicks: "1" };
  const [before, after] = [ClearingRule.UNSPECIFIED, ClearingRule.LOWEST_NOT_OUTBID].map((clearingRule) =>
    create(SaleDefinitionSchema, { pricing: { case: "auction", value: { ...value, clearingRule } } }),
  );
  if (before === undefined || after === undefined) throw new Error("there are two definitions");
  expect(definitionChanges(before, after)).toEqual([
    { field: "Price step", before: expect.stringContaining("per"), after: "" },
    { field: "Clearing price", before: "", after: expect.stringContaining("the lowest at which") },
  ]);
});
