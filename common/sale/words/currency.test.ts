import { expect, it } from "vitest";
import { commonCurrency } from "./currency.ts";

const USDC = { symbol: "USDC", usdStablecoin: true };
const TIDE = { symbol: "TIDE", usdStablecoin: false };

it.each([
  ["of dollars", [USDC], { dollars: true, symbol: "USDC" }],
  ["of dollars of different names", [USDC, { ...USDC, symbol: "DAI" }], { dollars: true, symbol: "" }],
  ["of dollars and another one", [USDC, TIDE], { dollars: false, symbol: "" }],
  ["of one name", [TIDE, TIDE], { dollars: false, symbol: "TIDE" }],
  ["without a name", [{ ...TIDE, symbol: "" }], { dollars: false, symbol: "" }],
  ["where there is none", [], { dollars: false, symbol: "" }],
])("the currency of tokens %s", (_, tokens, currency) => {
  expect(commonCurrency(tokens)).toEqual(currency);
});
