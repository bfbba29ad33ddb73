import "../testing/english-words.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SaleFacts } from "../../client/sale.ts";
import type { Units } from "../../common/sale/words/figure.ts";
import type { Totals } from "./browser/figures.js";
import { shareOf, valueFigure } from "./browser/offer.js";
import { exactlyText, tilesOf, tileText } from "./browser/tiles.js";

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
  const tiles = tilesOf(terms, totals, units).filter(({ isHidden }) => !isHidden);
  return tiles.map(({ label, figure, note = "" }) =>
    [label, figure.text, ...(note === "" ? [] : [note])].join(": ").replaceAll("\u00a0", " "),
  );
}

describe("the tiles of a sale", () => {
  it("have all that is known of a sale at a fixed price", () => {
    expect(shown({ ...TERMS, OfferedToken: TOKEN })).toEqual([
      "Committed: $300,000.00: 75% of the offer is committed",
      "Commitments: 2",
      "Price per token: $0.40",
      "For sale: 1M DEMO: 12.5% of the total supply",
      "Fully diluted value: $3.2M: 8M DEMO at $0.40",
    ]);
  });

  it("have no share of the offer where bids buy at many prices", () => {
    const terms = { Pricing: "auction", OfferedToken: TOKEN } as const;
    expect(shown(terms, AUCTION)[0]).toContain("of the offer is bid");
    expect(shown({ ...terms, ClearingRule: "lowest_not_outbid" }, AUCTION)[0]).toBe("Committed: $300,000.00");
  });

  it("have the clearing price and the floor of an auction, which is oversubscribed at its price", () => {
    const floor = { FloorNumerator: "1", FloorDenominator: "10000000000000" };
    expect(
      shown({ Pricing: "auction", OfferedToken: { ...TOKEN, Amount: `${500_000n * ONE}` }, ...floor }, AUCTION),
    ).toEqual([
      "Committed: $300,000.00: 2 times the offer is bid",
      "Commitments: 2",
      "Clearing price per token: $0.30",
      "For sale: 500,000 DEMO: 6.25% of the total supply",
      "Floor per token: $0.10",
      "Fully diluted value: $2.4M: 8M DEMO at $0.30",
    ]);
  });

  it.each([
    ["7500000000", undefined, "2.5% of the offer is bid"],
    ["0", undefined, "0% of the offer is bid"],
    ["1530000000000", "1522500000000", "2.5% of the offer is bid"],
  ])(
    "have a floor and no clearing price while less is bid at it than pays for the offer: %s in all, %s below",
    (TotalCommitmentAmount, below, share) => {
      const price = { ClearingPriceNumerator: "3", ClearingPriceDenominator: "10000000000000" };
      const totals = { ...TOTALS, ...price, TotalCommitmentAmount, ...(below && { BelowFloorAmount: below }) };
      const floor = { FloorNumerator: "3", FloorDenominator: "10000000000000" };
      const terms = { Pricing: "auction", OfferedToken: TOKEN, ...floor } as const;
      const [committed, ...others] = shown(terms, totals);
      expect(committed).toContain(`: ${share}`);
      expect(others).toEqual([
        "Commitments: 2",
        "Floor per token: $0.30: Less is bid than is for sale.",
        "For sale: 1M DEMO: 12.5% of the total supply",
        "Fully diluted value: $2.4M: 8M DEMO at $0.30",
      ]);
      expect(shown({ ...terms, Status: "settled" }, totals)[2]).toBe("Floor per token: $0.30");
    },
  );

  it("say that nobody has bid in place of less than the offer, in words that stay true", () => {
    const totals = { ...AUCTION, TotalCommitmentAmount: "0", UniqueCommitmentCount: 0 };
    const terms = { Pricing: "auction", OfferedToken: TOKEN } as const;
    const price = (more: Partial<SaleFacts>) => shown({ ...terms, ...more }, totals)[2];
    expect(price({})).toBe("Floor per token: $0.30: Nobody has bid.");
    expect(price({ Stage: "pre_open" })).toBe("Floor per token: $0.30: Nobody has bid.");
    expect(price({ Stage: "closed" })).toBe("Floor per token: $0.30: Nobody has bid.");
    expect(price({ Status: "settled" })).toBe("Floor per token: $0.30");
  });

  it("mark all of the offer on the bar of one that is bid several times", () => {
    const bid = (Amount: bigint) =>
      tilesOf({ Pricing: "auction", OfferedToken: { Amount: `${Amount}` } }, AUCTION, UNITS)[0];
    // At 30 cents, 300,000 dollars pay for a million tokens.
    expect(bid((ONE * 10_000_000n) / 27n)).toMatchObject({ note: "2.7 times the offer is bid", bar: 100, mark: 37.03 });
    expect(bid(ONE * 1_000_000n)).toMatchObject({ note: "100% of the offer is bid", bar: 100, mark: 100 });
    expect(bid(ONE * 4_000_000n)).toMatchObject({ note: "25% of the offer is bid", bar: 25, mark: 100 });
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
      "Committed: 300,000.00 TIDE: 75% of the offer is committed",
      "Commitments: 2",
      "Price per token: 0.40 TIDE",
      "For sale: 1M tokens: 12.5% of the total supply",
      "Fully diluted value: 3.2M TIDE: 8M tokens at 0.40 TIDE",
    ]);
  });

  it("have a size by their length, and units that are long on a line of their own", () => {
    expect(tileText("$1.249B")).toEqual({ number: "$1.249B", unit: "", length: 8, isLong: false });
    expect(tileText("999,999.99 USDC")).toEqual({ number: "999,999.99", unit: "USDC", length: 16, isLong: false });
    expect(tileText(`1,2\u00a0Mrd. ${"W".repeat(32)}`)).toEqual({
      number: "1,2\u00a0Mrd.",
      unit: "W".repeat(32),
      length: 8,
      isLong: true,
    });
  });

  it("say the exact figure where their text doesn't, unless that is too long to be listened to", () => {
    expect(exactlyText({ text: "$1.249B", exact: "1249999999.99" })).toBe("exactly 1249999999.99");
    expect(exactlyText({ text: "$1.249B", exact: "1249000000" })).toBe("");
    expect(exactlyText({ text: "$0.50", exact: "0.5" })).toBe("");
    expect(exactlyText({ text: "1.157 × 10⁷⁷", exact: "1".repeat(78) })).toBe("");
  });
});

describe("the share and the value of an offer", () => {
  const ONE_TO_ONE = { numerator: 1n, denominator: 1n };

  it.each([
    [1n, 2n ** 256n, "less than 0.01%", undefined],
    [1n, 10_000n, "0.01%", undefined],
    [104n, 100n, "104%", "1.04"],
    [279n, 100n, "279%", "2.79"],
    [109n, 10n, "1,090%", "10.9"],
    [1_000_000n, 1n, "more than 1,000,000%", "1M"],
    [5n * 10n ** 10n, 1n, "more than 1,000,000%", "more than 1,000,000"],
    [2n ** 256n, 1n, "more than 1,000,000%", "more than 1,000,000"],
  ])("says %s of %s as something to imagine", (part, whole, text, times) => {
    expect(shareOf(part, whole, ONE_TO_ONE)).toMatchObject(times === undefined ? { text } : { text, times });
  });

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
    expect(shareOf(199_999n, 200_000n, ONE_TO_ONE)).toEqual({
      text: "99.99%",
      bar: 99.99,
      mark: 100,
    });
    expect(shareOf(0n, 5n, third)).toEqual({ text: "0%", bar: 0, mark: 100 });
  });
});
