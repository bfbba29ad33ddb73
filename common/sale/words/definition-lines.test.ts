import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { definitionLines, moneyUnit } from "./definition-lines.ts";

type Definition = Exclude<MessageInitShape<typeof SaleDefinitionSchema>, { $typeName: string }>;

const lines = (definition: Definition) =>
  definitionLines(create(SaleDefinitionSchema, definition)).map(({ label, text, detail }) => [label, text, detail]);

const PAID: Definition = {
  paymentTokens: [{ address: "0xa", decimals: 6, usdStablecoin: true }],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: "1", denominator: "200000000000000" },
};

it("prices and amounts are in money and tokens, exactly", () => {
  const auction = { offeredAmount: `1000${"0".repeat(18)}`, floorTicks: "20", incrementTicks: "1" };
  expect(lines({ ...PAID, pricing: { case: "auction", value: auction } }).slice(0, 4)).toEqual([
    ["For sale", "1,000 tokens", undefined],
    ["Lowest price", "0.1 dollars per token", "20 price ticks of 0.005 dollars"],
    ["Price step", "0.005 dollars per token", undefined],
    ["Price tick", "0.005 dollars per token", "Every price is a whole number of these."],
  ]);
});

it("a price that has no end as a decimal is a fraction", () => {
  const priceTick = { numerator: "1", denominator: "3000000000000" };
  const [price] = lines({ ...PAID, priceTick, pricing: { case: "fixed", value: { priceTicks: "1" } } });
  expect(price).toEqual(["Price", "1/3 dollars per token", undefined]);
});

it("says which unit it means where the token's decimals aren't known, and where a token is no dollar", () => {
  const { offeredTokenDecimals: _, ...unknown } = PAID;
  const paymentTokens = [{ address: "0xa", decimals: 6, usdStablecoin: false }];
  const [price] = lines({ ...unknown, paymentTokens, pricing: { case: "fixed", value: { priceTicks: "1" } } });
  expect(price?.[1]).toMatch(/ payment tokens per smallest unit of the token$/);
});

it("money is the symbol that all payment tokens have, else dollars where all are, else neither", () => {
  const unitOf = (...tokens: readonly [symbol: string, usdStablecoin: boolean][]) =>
    moneyUnit(
      create(SaleDefinitionSchema, {
        paymentTokens: tokens.map(([symbol, usdStablecoin]) => ({ symbol, usdStablecoin })),
      }).paymentTokens,
    );
  expect(unitOf(["USDC", true])).toBe("USDC");
  expect(unitOf(["USDC", true], ["USDC", true])).toBe("USDC");
  expect(unitOf(["USDC", true], ["USDT", true])).toBe("dollars");
  expect(unitOf(["TIDE", false], ["USDC", true])).toBe("payment tokens");
  expect(unitOf()).toBe("payment tokens");
});

it("a price of 160 bits is rounded for people, and exact below", () => {
  const priceTick = { numerator: "1", denominator: String(2n ** 96n) };
  const value = { offeredAmount: "1000", floorTicks: String(5n * 2n ** 96n + 3n), incrementTicks: "1" };
  const wide = { ...PAID, offeredTokenDecimals: 6, priceTick, pricing: { case: "auction" as const, value } };
  const tick = "1/79,228,162,514,264,337,593,543,950,336 dollars";
  expect(lines(wide).slice(1, 4)).toEqual([
    ["Lowest price", "5.00 dollars per token", `396,140,812,571,321,687,967,719,751,683 price ticks of ${tick}`],
    ["Price step", `${tick} per token`, undefined],
    ["Price tick", `${tick} per token`, "Every price is a whole number of these."],
  ]);
});
