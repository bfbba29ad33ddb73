import "../testing/english-words.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SaleFacts } from "../../client/sale.ts";
import type { Units } from "../../common/sale/words/figure.ts";
import type { Totals } from "./browser/figures.js";
import { shareOf, valueFigure } from "./browser/offer.js";
import { tilesOf, widthOf } from "./browser/tiles.js";

const UNITS: Units = { payment: 6, offered: 18, dollars: true, language: "en" };
const ONE = 10n ** 18n;
/** 40 cents per token. */
const PRICE = { PriceNumerator: "4", PriceDenominator: "10000000000000" };
const TERMS = { Pricing: "fixed", OfferedToken: {}, ...PRICE } as const;
const TOTALS: Totals = {
  TotalCommitmentAmount: "300000000000",
  UniqueCommitmentCount: 2,
  PaymentTokenDecimals: 6,
  OfferedTokenDecimals: 18,
};
const AUCTION: Totals = {
  ...TOTALS,
  ClearingPriceNumerator: "3",
  ClearingPriceDenominator: "10000000000000",
};
const TOKEN = { Symbol: "DEMO", Decimals: 18, Amount: `${1_000_000n * ONE}`, TotalSupply: `${8_000_000n * ONE}` };

type Terms = Pick<SaleFacts, "Pricing" | "OfferedToken"> & Partial<SaleFacts>;

function shown(terms: Terms, totals = TOTALS, units = UNITS): readonly string[] {
  return tilesOf(terms, totals, units).map(({ label, figure, note }) =>
    [label, figure.text, ...(note === undefined ? [] : [note])].join(": ").replaceAll("\u00a0", " "),
  );
}

describe("the tiles of a sale", () => {
  it("have all that is known of a sale at a fixed price", () => {
    expect(shown({ ...TERMS, OfferedToken: TOKEN })).toEqual([
      "Committed: $300,000.00: 75% of the offer",
      "Commitments: 2",
      "Price per token: $0.40",
      "For sale: 1,000,000 DEMO: 12.5% of the total supply",
      "Fully diluted value: $3,200,000.00: 8,000,000 DEMO in all",
    ]);
  });

  it("have the clearing price and the floor of an auction, which is oversubscribed at its price", () => {
    const floor = { FloorNumerator: "1", FloorDenominator: "10000000000000" };
    expect(
      shown({ Pricing: "auction", OfferedToken: { ...TOKEN, Amount: `${500_000n * ONE}` }, ...floor }, AUCTION),
    ).toEqual([
      "Committed: $300,000.00: 200% of the offer",
      "Commitments: 2",
      "Clearing price per token: $0.30",
      "For sale: 500,000 DEMO: 6.25% of the total supply",
      "Lowest price per token: $0.10",
      "Fully diluted value: $2,400,000.00: 8,000,000 DEMO in all",
    ]);
  });

  it("don't say that something was refunded in a sale without a contract, where nobody knows it", () => {
    const tiles = shown({ ...TERMS, AcceptedAmount: "200000000000", Status: "settled" });
    expect(tiles).toContain("Not accepted: $100,000.00");
  });

  it("have what is accepted and refunded from the settlement on, and no difference below nothing", () => {
    const outcome = (AcceptedAmount: string, Status: "open" | "settled") =>
      shown({ ...TERMS, AcceptedAmount, Status, Stage: Status === "settled" ? "done" : "settlement" }).slice(2, -1);
    expect(outcome("200000000000", "settled")).toEqual([
      "Accepted: $200,000.00: 66.66% of what was committed",
      "Refunded: $100,000.00",
    ]);
    expect(outcome("0", "open")).toEqual(["Accepted: $0: 0% of what was committed", "To be refunded: $300,000.00"]);
    expect(outcome("300000000001", "settled")).toEqual(["Accepted: $300,000.00: 100% of what was committed"]);
  });

  it("have no figure that isn't known", () => {
    expect(shown(TERMS)).toEqual(["Committed: $300,000.00", "Commitments: 2", "Price per token: $0.40"]);
    const free = { ...AUCTION, ClearingPriceNumerator: "0" };
    expect(shown({ Pricing: "auction", OfferedToken: { Amount: "7" } }, free)).toEqual([
      "Committed: $300,000.00",
      "Commitments: 2",
      "Clearing price per token: $0",
      "For sale: 7 smallest units",
    ]);
  });

  it("name the currency, and tokens without a symbol", () => {
    const units = { ...UNITS, dollars: false, symbol: "TIDE" };
    const { Symbol: _, ...token } = TOKEN;
    expect(shown({ ...TERMS, OfferedToken: token }, TOTALS, units)).toEqual([
      "Committed: 300,000.00 TIDE: 75% of the offer",
      "Commitments: 2",
      "Price per token: 0.40 TIDE",
      "For sale: 1,000,000 tokens: 12.5% of the total supply",
      "Fully diluted value: 3,200,000.00 TIDE: 8,000,000 tokens in all",
    ]);
  });

  it("write long figures smaller", () => {
    expect(["$11,750,000.00", "999,999,999.99 USDC", "999,999,999,999,999.99 USDC"].map(widthOf)).toEqual([
      "normal",
      "long",
      "longest",
    ]);
  });
});

describe("the share and the value of an offer", () => {
  const amount = fc.bigInt(1n, 2n ** 256n - 1n);
  const price = fc.record({ numerator: amount, denominator: amount });

  it("are exact: a share is 100 % exactly when the sum pays for the offer", () => {
    fc.assert(
      fc.property(amount, amount, price, (total, offered, at) => {
        const isPaid = total * at.denominator >= offered * at.numerator;
        return (shareOf(total, offered, at)?.bar === 100) === isPaid;
      }),
    );
  });

  it("are rounded down in words only", () => {
    const third = { numerator: 1n, denominator: 3n };
    expect(valueFigure(2n, third, { payment: 0, offered: 0, dollars: true, language: "en" })).toEqual({
      text: "$0.6666",
      exact: "2/3",
    });
    expect(shareOf(199_999n, 200_000n, { numerator: 1n, denominator: 1n })).toEqual({ text: "99.99%", bar: 99.99 });
    expect(shareOf(0n, 5n, third)).toEqual({ text: "0%", bar: 0 });
  });
});
