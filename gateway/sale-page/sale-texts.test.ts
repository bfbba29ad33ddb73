import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import type { SaleFacts } from "../../client/sale.ts";
import { currencyOf, textsKey } from "./browser/sale-texts.js";

const TOKEN = { TokenAddress: "0xa1", Symbol: "USDC", Decimals: 6, DollarStablecoin: true };
const FACTS: SaleFacts = {
  SaleUUID: "11111111-1111-4111-8111-111111111111",
  Name: "A sale 🌊",
  Tenancy: "live",
  Status: "open",
  Pricing: "auction",
  OfferedToken: {},
  PaymentTokens: [TOKEN],
  PaymentTokenDecimals: 6,
};

describe("the name of a page's texts", () => {
  it("is another one for another text, and the same after a change that the script shows", () => {
    const key = textsKey(FACTS);
    expect(textsKey(structuredClone(FACTS))).toBe(key);
    expect(textsKey({ ...FACTS, Status: "settled", Stage: "done", FloorNumerator: "2" })).toBe(key);
    const changes: Partial<SaleFacts>[] = [
      { Name: "A sale 🌋" },
      { Description: "a" },
      { Website: "https://a.example/" },
      { LogoURL: "/logos/00" },
      { OpensAt: "2026-01-01T00:00:00Z" },
      { OfferedToken: { TotalSupply: "1" } },
      { Signer: "0xa1" },
      { AcceptedAmount: "0" },
      { Contract: { Chain: "a", ChainKind: "svm", Address: "b" } },
    ];
    const keys = changes.map((change) => textsKey({ ...FACTS, ...change }));
    expect(new Set([key, ...keys]).size).toBe(changes.length + 1);
  });
});

describe("the currency of a sale", () => {
  it("is dollars where all tokens are, and else a symbol that all have", () => {
    const tide = { ...TOKEN, Symbol: "TIDE", DollarStablecoin: false };
    const { Symbol: _, ...nameless } = tide;
    expect(currencyOf({ PaymentTokens: [TOKEN] })).toEqual({ dollars: true, symbol: "USDC" });
    expect(currencyOf({ PaymentTokens: [TOKEN, tide] })).toEqual({ dollars: false, symbol: "" });
    expect(currencyOf({ PaymentTokens: [tide, tide] })).toEqual({ dollars: false, symbol: "TIDE" });
    expect(currencyOf({ PaymentTokens: [nameless] })).toEqual({ dollars: false, symbol: "" });
  });
});
