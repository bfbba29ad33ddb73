import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import type { SaleFacts } from "../../client/sale.ts";
import { currencyOf, textsKey } from "./browser/sale-texts.js";
import { stageTexts, statusOf } from "./browser/stage-texts.js";

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

describe("a stage in words", () => {
  it.each(["auction", "fixed"] as const)("says what one can do, in every stage of a sale of kind %s", (Pricing) => {
    const stages = ["pre_open", "commitment", "closed", "cancellation", "settlement", "done"] as const;
    const texts = stages.map((Stage) => stageTexts({ Status: "open", Pricing, Stage }));
    expect(new Set(texts.map(({ title }) => title)).size).toBe(stages.length);
    for (const { text } of texts) expect(text).toMatch(/\.$/);
  });

  it("says no more than is known without a contract, or of a later version's stage", () => {
    expect(stageTexts({ Status: "open", Pricing: "fixed" }).title).toBe("The sale is open");
    expect(stageTexts({ Status: "settled", Pricing: "fixed" }).title).toBe("The sale is over");
    expect(stageTexts({ Pricing: "fixed" }).title).toBe("Token sale");
    expect(stageTexts({ Status: "open", Pricing: "fixed", Stage: "next" as never }).title).toBe("The sale is open");
    expect([statusOf({ Status: "settled" }).text, statusOf({}).text]).toEqual(["Settled", "Status unknown"]);
  });

  it("says in a word whether one can take part", () => {
    const word = (Stage: NonNullable<SaleFacts["Stage"]>) => statusOf({ Status: "open", Stage }).text;
    const stages = ["pre_open", "commitment", "closed", "cancellation", "settlement"] as const;
    expect(stages.map(word)).toEqual(["Upcoming", "Open", "Closed", "Closed", "Closed"]);
    expect(statusOf({ Status: "settled", Stage: "done" }).text).toBe("Settled");
    expect(statusOf({ Status: "open" }).text).toBe("Open");
  });
});
