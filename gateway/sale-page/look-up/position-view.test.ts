import "../../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import { type LookedUpSale, type Position, positionView } from "../browser/position-view.js";

const WALLET = `0x${"ab".repeat(20)}`;
const UNITS = { payment: 6, offered: 18, dollars: true, symbol: "", language: "en" };
const MOST = 2n ** 256n - 1n;
const OPENS = Date.parse("2026-12-01T12:00:00Z");
const SALE: LookedUpSale = {
  units: UNITS,
  facts: { Status: "open", OfferedToken: { Symbol: "DEMO", Decimals: 18 } },
  now: OPENS,
};
const COMMITMENT = {
  CommitmentID: `0x${"01".repeat(32)}`,
  SaleSpecificEntityID: `0x${"02".repeat(16)}`,
  PriceNumerator: "629",
  PriceDenominator: "1000000000000000",
  Amounts: [{ Wallet: WALLET, TokenAddress: "0xa1", Amount: "1390970001" }],
  CreatedAt: "2026-01-31T12:00:00Z",
  ExtraDataRaw: "0x",
  ExtraDataParsed: {},
  Counted: true,
} as const;
const ALLOCATION = { SaleSpecificEntityID: COMMITMENT.SaleSpecificEntityID, TokenAddress: "0xa1" };
/** 25 cents per token. */
const CLEARING = { ClearingPriceNumerator: "25", ClearingPriceDenominator: "100000000000000" } as const;
const position = (more: Partial<Position>): Position => ({
  Wallet: WALLET,
  Commitments: [COMMITMENT],
  PaymentTokenDecimals: 6,
  ...more,
});

it("shows a commitment exactly and for people", () => {
  expect(positionView(position({}), SALE)).toStrictEqual({
    wallet: { text: "0xabab…abab", exact: WALLET },
    summary: "1 commitment: 1 in the sale’s figures",
    bids: [
      {
        state: "counts",
        badge: "Counts",
        detail: "It is in the sale’s figures.",
        amount: { text: "$1,390.97", exact: "1390.970001" },
        price: { text: "$0.629", exact: "0.629" },
        time: "2026-01-31T12:00:00Z",
        moment: "31 Jan 2026, 12:00:00",
        id: { text: "0x0101…0101", exact: COMMITMENT.CommitmentID },
      },
    ],
    none: "",
    note: "",
    outcomes: [
      {
        label: "Tokens at today’s price",
        figure: { text: "up to 2,211.39 DEMO", exact: "2211.399047694753577106" },
      },
    ],
    differs: false,
    nextPage: "",
  });
});

it("says how a bid leaves an auction by a call, and what it has to wait for", () => {
  const detailOf = (Exit: NonNullable<Position["Commitments"][number]["Exit"]>) =>
    positionView(position({ Commitments: [{ ...COMMITMENT, Exit }] }), SALE).bids[0]?.detail.replaceAll("\u00a0", " ");
  const left = { SpentAmount: "1000000", RefundAmount: "1389970001", Tokens: String(3n * 10n ** 18n) };
  const call = { Function: "exitPartiallyFilledBid", Arguments: ["12", "345", "0"] } as const;
  expect(detailOf({ Standing: "at_final_price", ...left, ...call })).toBe(
    "It is in the sale’s figures. It gets 3 DEMO, and $1,389.97 is refunded: unless it has left already, anybody can send exitPartiallyFilledBid(12, 345, 0).",
  );
  expect(detailOf({ Standing: "awaits_checkpoint", ...left })).toContain("somebody has to call checkpoint() there.");
  expect(detailOf({ Standing: "may_get_more" })).toContain("once it is outbid, or at the end.");
  expect(detailOf({ Standing: "awaits_graduation", ...left })).toContain("once that has raised enough");
  expect(detailOf({ Standing: "locked" })).toContain("can never leave the auction.");
});

it("adds amounts of any size, the wallet's own and with other wallets", () => {
  const own = { Wallet: WALLET, TokenAddress: "0xa1", Amount: String(MOST) };
  const Amounts = [own, { ...own, TokenAddress: "0xa2" }, { ...own, Wallet: "0xcd" }];
  const { bids } = positionView(position({ Commitments: [{ ...COMMITMENT, Amounts }], PaymentTokenDecimals: 0 }), SALE);
  expect([bids[0]?.amount.exact, bids[0]?.whole?.exact]).toStrictEqual([String(2n * MOST), String(3n * MOST)]);
});

describe("what would come of a wallet's bids", () => {
  const AUCTION: LookedUpSale = {
    ...SALE,
    facts: {
      Status: "open",
      Stage: "commitment",
      OfferedToken: { Symbol: "DEMO", Decimals: 18, Amount: `${10_000n * 10n ** 18n}` },
      ...{ FloorNumerator: "1", FloorDenominator: "10000000000000" },
      ...{ IncrementNumerator: "1", IncrementDenominator: "100000000000000" },
      ...{ PriceTickNumerator: "1", PriceTickDenominator: "100000000000000" },
    },
  };
  const bidAt = (cents: number, dollars: number, ClearingOutcome: "in" | "at_margin" | "out") => ({
    ...COMMITMENT,
    ...{ PriceNumerator: String(cents), PriceDenominator: "100000000000000", ClearingOutcome },
    Amounts: [{ Wallet: WALLET, TokenAddress: "0xa1", Amount: String(dollars * 1_000_000) }],
  });
  const level = (cents: number, dollars: number) => ({
    ...{ LowestPriceNumerator: String(cents), LowestPriceDenominator: "100000000000000" },
    ...{ HighestPriceNumerator: String(cents), HighestPriceDenominator: "100000000000000" },
    Amount: String(dollars * 1_000_000),
  });
  const said = (sale: LookedUpSale, ...Commitments: Position["Commitments"]) =>
    positionView(position({ ...CLEARING, Commitments }), sale).outcomes.map(
      ({ label, figure }) => `${label}: ${figure.text.replaceAll("\u00a0", " ")}`,
    );

  it("is tokens and money back at the present price, as ranges where a bid is at the margin", () => {
    expect(said(AUCTION, bidAt(30, 100, "in"))).toEqual(["Tokens at today’s price: 400 DEMO"]);
    expect(said(AUCTION, bidAt(30, 100, "in"), bidAt(25, 50, "at_margin"), bidAt(20, 10, "out"))).toEqual([
      "Tokens at today’s price: 400 DEMO to 600 DEMO",
      "Money back at today’s price: $10.00 to $60.00",
    ]);
  });

  it("has the lowest price that would be in, and what the same tokens cost at it, where the demand is known", () => {
    // 2,500 dollars at 25 cents buy all: with 10 more, it clears there still, and only more than that is in.
    const levels = [level(30, 2_500), level(20, 10)];
    expect(said({ ...AUCTION, levels }, bidAt(20, 10, "out"))).toEqual([
      "Tokens at today’s price: 0 DEMO",
      "Money back at today’s price: $10.00",
      "Lowest price that is in now: $0.26",
      "Cost of the same tokens at it: $13.00",
    ]);
    expect(said({ ...AUCTION, levels: [level(30, 2_500)] }, bidAt(20, 10, "out"))).toHaveLength(2);
  });
});

describe("what is accepted", () => {
  const outcomes = (more: Partial<Position>) =>
    positionView(position({ Status: "settled", Stage: "done", ...more }), SALE).outcomes.map(
      ({ label, figure }) => `${label}: ${figure.text.replaceAll("\u00a0", " ")}`,
    );
  const allocated = (AcceptedAmount: string, RefundedAmount?: string) => ({
    Allocations: [{ ...ALLOCATION, AcceptedAmount, ...(RefundedAmount !== undefined && { RefundedAmount }) }],
  });

  it("is said with the rest, the price and the tokens once the sale is settled", () => {
    expect(outcomes({ ...allocated("300000000", "1090970001"), ...CLEARING })).toEqual([
      "Accepted: $300.00",
      "Not accepted: $1,090.97",
      "Refunded: $1,090.97",
      "Clearing price per token: $0.25",
      "Tokens at this price: 1,200 DEMO",
    ]);
    expect(outcomes({ ...allocated("1390970001"), ...CLEARING, Undersubscribed: true })).toEqual([
      "Accepted: $1,390.97",
      "Not accepted: $0",
      "Floor per token: $0.25",
      "Tokens at this price: 5,563.88 DEMO",
    ]);
  });

  it("is at the fixed price, and at none where commitments have several", () => {
    expect(outcomes(allocated("629000000")).slice(2)).toEqual([
      "Price per token: $0.629",
      "Tokens at this price: 1,000 DEMO",
    ]);
    const other = { ...COMMITMENT, SaleSpecificEntityID: `0x${"03".repeat(16)}` as const, PriceNumerator: "1" };
    expect(outcomes({ ...allocated("629000000"), Commitments: [COMMITMENT, other] })).toEqual([
      "Accepted: $629.00",
      "Not accepted: $2,152.94",
    ]);
  });

  it("has no tokens in an auction that has sold at all of its prices", () => {
    const sale: LookedUpSale = { ...SALE, facts: { ...SALE.facts, ClearingRule: "lowest_not_outbid" } };
    const settled = { ...allocated("300000000"), ...CLEARING, Status: "settled", Stage: "done" } as const;
    const labels = positionView(position(settled), sale).outcomes.map(({ label }) => label);
    expect(labels).toEqual(["Accepted", "Not accepted", "Clearing price per token"]);
  });

  it("has no tokens where nothing is accepted, and no rest below nothing", () => {
    expect(outcomes({ ...allocated("0", "0"), ...CLEARING })).toEqual([
      "Accepted: $0",
      "Not accepted: $1,390.97",
      "Refunded: $0",
      "Clearing price per token: $0.25",
    ]);
    expect(outcomes(allocated("1390970002"))[1]).toBe("Price per token: $0.629");
  });

  it("is all that is said before the sale is settled, as the rest isn't final", () => {
    const settling = { Status: "open", Stage: "settlement" } as const;
    expect(outcomes({ ...allocated("300000000", "0"), ...CLEARING, ...settling })).toEqual(["Accepted: $300.00"]);
  });

  it("isn't said where other pages have a part of it, nor of a wallet without commitments", () => {
    const found = position({ ...allocated("1000000", "250000"), Status: "settled", Stage: "done" });
    for (const part of [positionView({ ...found, NextPageToken: "a" }, SALE), positionView(found, SALE, true)]) {
      expect(part).toMatchObject({ summary: "1 commitment: 1 settled", outcomes: [] });
    }
    expect(outcomes({ Commitments: [], Allocations: [] })).toEqual([]);
  });

  it("is warned of where it doesn't add up", () => {
    expect(positionView(position({ AllocationsDiffer: true }), SALE).differs).toBe(true);
  });

  it("isn't said of one of several commitments of an entity", () => {
    const twice = position({ ...allocated("300000000"), Commitments: [COMMITMENT, COMMITMENT], Status: "settled" });
    expect(positionView(twice, SALE)).toMatchObject({
      summary: "2 commitments: 2 settled. Accepted: $300.00",
      bids: [{ state: "over" }, { state: "over" }],
    });
  });
});

const CHANGES =
  "In or out can change with every bid until bidding ends. How much is accepted in the end is the contract’s rule.";
const CANCELLING =
  "Bidding is over. In or out can still change while bids can be cancelled. How much is accepted in the end is the contract’s rule.";
const SETTLING = "The sale has closed. How much of it is accepted appears here once that is final.";
const FINAL = "The sale is settled: none of this changes any more.";
const UNSAID = "The sale is settled. How much of it was accepted isn’t known here: ask the people who run the sale.";
const OUT = "Its price is below the clearing price.";
const BELOW = "Its price is below the floor, the lowest at which the sale sells, so it doesn’t count for the offer.";

/** Everything that a look-up says of a commitment: how it is counted, its state in a word and a sentence, and how that changes. */
function said(sale: Partial<Position>, commitment: object, allocated?: string): readonly string[] {
  const found = position({
    Commitments: [{ ...COMMITMENT, ...commitment }],
    ...(allocated !== undefined && { Allocations: [{ ...ALLOCATION, AcceptedAmount: allocated }] }),
    ...sale,
  });
  const { summary, bids, note } = positionView(found, SALE);
  return [summary.replace("1 commitment: ", ""), bids[0]?.badge ?? "", bids[0]?.detail ?? "", note];
}

const OPEN = { Status: "open", Stage: "commitment" } as const;
const SETTLED = { Status: "settled", Stage: "done" } as const;
const at = (Stage: "closed" | "cancellation" | "settlement") => ({ Status: "open", Stage }) as const;

describe("what a look-up says of a commitment", () => {
  it.each([
    ["in", {}, "1 in", "In", "Its price reaches the clearing price."],
    [
      "in",
      { Undersubscribed: true },
      "1 in",
      "In",
      "Less is bid than is for sale, so its price, the floor or more, is enough.",
    ],
    [
      "at_margin",
      {},
      "1 at the margin",
      "At the margin",
      "Its price is the clearing price, where more is bid than can be bought.",
    ],
    ["out", {}, "1 out", "Out", OUT],
  ] as const)("is, while bidding is open, what its price means: %s, with %j", (ClearingOutcome, sale, ...words) => {
    expect(said({ ...OPEN, ...sale }, { ClearingOutcome })).toEqual([...words, CHANGES]);
  });

  it("is that a price below the floor doesn't count for the offer, whatever is bid", () => {
    const words = ["1 below the floor", "Below the floor", BELOW];
    expect(said(OPEN, { ClearingOutcome: "below_floor" })).toEqual([...words, ""]);
    expect(said(at("cancellation"), { ClearingOutcome: "below_floor" })).toEqual([...words, SETTLING]);
  });

  it.each([
    ["closed", CANCELLING],
    ["cancellation", CANCELLING],
    ["settlement", SETTLING],
  ] as const)("changes with no bid any more at the stage %s", (stage, note) => {
    expect(said(at(stage), { ClearingOutcome: "out" })).toEqual(["1 out", "Out", OUT, note]);
  });

  it("changes with no bid any more after the announced end of a sale whose contract's stage isn't known", () => {
    const facts = { ...SALE.facts, ClosesAt: "2026-12-01T12:00:00Z" };
    const found = position({ Commitments: [{ ...COMMITMENT, ClearingOutcome: "out" }], Status: "open" });
    expect(positionView(found, { ...SALE, facts }).note).toBe(SETTLING);
    expect(positionView(found, { ...SALE, facts, now: OPENS - 1 }).note).toBe(CHANGES);
  });

  it.each([
    ["1390970001", "1 accepted. Accepted: $1,390.97", "Accepted", "The sale has accepted all of it.", FINAL],
    [
      "300000000",
      "1 accepted in part. Accepted: $300.00",
      "Accepted in part",
      "The sale has accepted a part of it.",
      FINAL,
    ],
    ["0", "1 not accepted. Accepted: $0", "Not accepted", "The sale has accepted nothing of it.", FINAL],
    [undefined, "1 settled", "Settled", "The sale is over.", UNSAID],
  ])("is, once the sale is settled, what was accepted, whatever its price means: %s", (accepted, ...words) => {
    for (const ClearingOutcome of ["in", "at_margin", "out", "below_floor", undefined] as const) {
      expect(said(SETTLED, ClearingOutcome === undefined ? {} : { ClearingOutcome }, accepted)).toEqual(words);
    }
  });

  it("is that it is being worked out as long as nothing is accepted and the sale isn't settled", () => {
    expect(said(at("settlement"), { ClearingOutcome: "out" }, "0")).toEqual([
      "1 being settled. Accepted: $0",
      "Being settled",
      "How much of it is accepted is being worked out.",
      SETTLING,
    ]);
  });

  it("is at a fixed price that it counts, and after the end that nothing is known yet", () => {
    const words = ["1 in the sale’s figures", "Counts", "It is in the sale’s figures."];
    expect(said(OPEN, {})).toEqual([...words, ""]);
    expect(said(at("settlement"), {})).toEqual([...words, SETTLING]);
  });

  it.each([
    [{ NotCountedReason: "refunded" }, "1 refunded", "Refunded", "It doesn’t count in the sale’s figures."],
    [
      { NotCountedReason: "no_amount" },
      "1 with nothing left in it",
      "Empty",
      "Nothing is left in it, so it doesn’t count.",
    ],
    [{}, "1 not counted", "Doesn’t count", "It isn’t in the sale’s figures."],
  ])("is why it doesn't count: %j", (fields, ...words) => {
    expect(said(OPEN, { Counted: false, ...fields }).slice(0, 3)).toEqual(words);
  });

  it("is that more may come for a wallet without any, until the sale has closed", () => {
    const none = "This wallet has committed nothing to this sale. Check that it is the one you bid with.";
    const soon = "A new commitment appears here soon after the sale’s contract has it.";
    const noneAt = (sale: Partial<Position>) => positionView(position({ Commitments: [], ...sale }), SALE);
    expect(noneAt(OPEN)).toMatchObject({ none: `${none} ${soon}`, note: "" });
    for (const sale of [at("closed"), at("settlement"), SETTLED])
      expect(noneAt(sale)).toMatchObject({ none, note: "" });
  });

  it("follows the page where a service of an older version doesn't say where the sale is", () => {
    const facts = { ...SALE.facts, Status: "settled" } as const;
    expect(positionView(position({}), { ...SALE, facts }).note).toBe(UNSAID);
  });
});
