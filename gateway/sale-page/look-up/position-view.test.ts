import "../../testing/english-words.ts";
import { expect, it } from "vitest";
import { type Position, positionView } from "../browser/position-view.js";

const WALLET = `0x${"ab".repeat(20)}`;
const UNITS = { payment: 6, offered: 18, dollars: true, symbol: "", language: "en" };
const MOST = 2n ** 256n - 1n;
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
const position = (more: Partial<Position>): Position => ({
  Wallet: WALLET,
  Commitments: [COMMITMENT],
  PaymentTokenDecimals: 6,
  ...more,
});

it("shows a commitment exactly and for people", () => {
  expect(positionView(position({}), UNITS)).toStrictEqual({
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
    differs: false,
    nextPage: "",
  });
});

it("adds amounts of any size, the wallet's own and with other wallets", () => {
  const own = { Wallet: WALLET, TokenAddress: "0xa1", Amount: String(MOST) };
  const Amounts = [own, { ...own, TokenAddress: "0xa2" }, { ...own, Wallet: "0xcd" }];
  const { bids } = positionView(position({ Commitments: [{ ...COMMITMENT, Amounts }] }), { ...UNITS, payment: 0 });
  expect([bids[0]?.amount.exact, bids[0]?.whole?.exact]).toStrictEqual([String(2n * MOST), String(3n * MOST)]);
});

it("says nothing of what is accepted where other pages have a part of it", () => {
  const allocation = { SaleSpecificEntityID: COMMITMENT.SaleSpecificEntityID, TokenAddress: "0xa1" };
  const found = position({ Allocations: [{ ...allocation, AcceptedAmount: "1000000", RefundedAmount: "250000" }] });
  for (const part of [positionView({ ...found, NextPageToken: "a" }, UNITS), positionView(found, UNITS, true)]) {
    expect(part.summary).toBe("1 commitment: 1 in the sale’s figures");
    expect(part).not.toHaveProperty("accepted");
    expect(part).not.toHaveProperty("paidBack");
  }
});

it("says what is accepted and paid back once that is known, and warns where it doesn't add up", () => {
  const allocation = { SaleSpecificEntityID: COMMITMENT.SaleSpecificEntityID, TokenAddress: "0xa1" };
  const Allocations = [
    { ...allocation, AcceptedAmount: "1000000", RefundedAmount: "250000" },
    { ...allocation, AcceptedAmount: "500000", RefundedAmount: "0" },
  ];
  const view = positionView(position({ Allocations, AllocationsDiffer: true }), UNITS);
  expect(view).toMatchObject({ accepted: { text: "$1.50" }, paidBack: { text: "$0.25" }, differs: true });
  expect(view.summary).toBe("1 commitment: 1 in the sale’s figures. Accepted: $1.50");
  const nothing = positionView(position({ Allocations: [] }), UNITS);
  expect(nothing.accepted?.text).toBe("$0");
  expect(nothing).not.toHaveProperty("paidBack");
  expect(positionView(position({ Commitments: [], Allocations: [] }), UNITS)).not.toHaveProperty("accepted");
});

it.each([
  ["in", { ClearingOutcome: "in" }],
  ["at_margin", { ClearingOutcome: "at_margin" }],
  ["out", { ClearingOutcome: "out" }],
  ["refunded", { Counted: false, NotCountedReason: "refunded" }],
  ["no_amount", { Counted: false, NotCountedReason: "no_amount" }],
  ["not_counted", { Counted: false }],
] as const)("knows the state %s", (state, fields) => {
  const { bids } = positionView(position({ Commitments: [{ ...COMMITMENT, ...fields }] }), UNITS);
  expect(bids[0]?.state).toBe(state);
});
