import { normaliseAmount } from "../figures/amount.ts";
import { ascending } from "../record/ascending.ts";
import { type Bid, bidsOf } from "./bid.ts";
import { divideShare } from "./divide-share.ts";
import { eligibleAmounts } from "./eligible-amounts.ts";
import { proRata, type Shares, sumOf } from "./pro-rata.ts";
import type { SettlementBook, SettlementTerms } from "./settlement-book.ts";
import { capacityOf, type Side, settlementTicks, sideOf, tokensFor } from "./settlement-price.ts";

/** An amount of a commitment with what is accepted of it, raw. */
export interface SettledAmount {
  readonly wallet: string;
  readonly token: string;
  readonly committed: bigint;
  readonly accepted: bigint;
}

/** A commitment with what is accepted of it. All but `amounts` is in smallest payment units. */
export interface SettledCommitment {
  readonly commitmentId: string;
  readonly entityId: string;
  readonly priceTicks: bigint;
  readonly side: Side;
  readonly committed: bigint;
  readonly eligible: bigint;
  /** The part of `eligible` that the offer has room for. */
  readonly share: bigint;
  /** The part of `share` that its tokens can express. */
  readonly accepted: bigint;
  /** Smallest offered units that `accepted` buys. */
  readonly tokens: bigint;
  readonly amounts: readonly SettledAmount[];
}

/** Raw sums of a payment token. */
export interface TokenTotal {
  readonly token: string;
  readonly committed: bigint;
  readonly accepted: bigint;
}

/** Sums of a settlement, in smallest payment units unless they say otherwise. */
export interface SettlementTotals {
  readonly committed: bigint;
  /** The sums of `eligible` above and at the price. */
  readonly above: bigint;
  readonly at: bigint;
  /** The cost of the offer; absent where the offer isn't known. */
  readonly capacity?: bigint;
  readonly accepted: bigint;
  /** Amount that rounding pro rata leaves: less than the number of bids among which it divides. */
  readonly roundingRemainder: bigint;
  /** The sum of what the tokens of bids can't express of their shares. */
  readonly divisionRemainder: bigint;
  /** Smallest offered units. */
  readonly tokens: bigint;
  /** By token ascending, one for each payment token. */
  readonly byToken: readonly TokenTotal[];
}

/** The outcome of a sale by the rule of docs/settlement.md. */
export interface Settlement {
  readonly book: SettlementBook;
  readonly priceTicks: bigint;
  readonly totals: SettlementTotals;
  /** By commitment ID ascending. */
  readonly commitments: readonly SettledCommitment[];
}

/** Settles a book by the rule of docs/settlement.md. @throws RangeError for an amount in a token that the sale doesn't list */
export function settle(book: SettlementBook): Settlement {
  const { terms } = book;
  const bids = bidsOf(book.commitments, terms, book.refusals);
  const priceTicks = settlementTicks(terms, bids);
  const sided = bids.map((bid) => ({ bid, side: sideOf(bid, terms, priceTicks) }));
  const eligible = eligibleAmounts(sided, book.limits);
  const of = (side: Side) => eligible.flatMap((each) => (each.side === side ? each.eligible : []));
  const capacity = capacityOf(terms, priceTicks);
  const [eligibleAbove, eligibleAt] = [of("above"), of("at")];
  const [above, at] = sharesOf(eligibleAbove, eligibleAt, capacity);

  const next = { above: above.shares.values(), at: at.shares.values(), below: [].values() };
  const commitments = eligible.map(({ bid, side, eligible: most }) => {
    const share = next[side].next().value ?? 0n;
    return { ...settledBid(bid, share, terms, priceTicks), side, eligible: most };
  });
  const totals = {
    committed: sumOf(bids.map(({ committed }) => committed)),
    above: sumOf(eligibleAbove),
    at: sumOf(eligibleAt),
    ...(capacity === undefined ? {} : { capacity }),
    accepted: sumOf(commitments.map(({ accepted }) => accepted)),
    roundingRemainder: above.remainder + at.remainder,
    divisionRemainder: sumOf(commitments.map(({ share, accepted }) => share - accepted)),
    tokens: sumOf(commitments.map(({ tokens }) => tokens)),
    byToken: totalsByToken(terms, commitments),
  };
  return { book, priceTicks, totals, commitments };
}

/** Divides the capacity: bids above the price come first, and those at it share what is left. */
function sharesOf(above: readonly bigint[], at: readonly bigint[], capacity: bigint | undefined): [Shares, Shares] {
  if (capacity === undefined) return [proRata(above, undefined), proRata(at, undefined)];
  const taken = sumOf(above);
  return [proRata(above, capacity), proRata(at, taken < capacity ? capacity - taken : 0n)];
}

function settledBid(bid: Bid, share: bigint, terms: SettlementTerms, priceTicks: bigint) {
  const { commitmentId, entityId, committed, cells } = bid;
  const parts = divideShare(share, bid, terms.paymentTokenDecimals);
  const amounts = cells.map(({ wallet, token, raw }, index) => {
    return { wallet, token, committed: raw, accepted: parts[index] ?? 0n };
  });
  const accepted = sumOf(
    cells.map(({ decimals }, index) => normaliseAmount(parts[index] ?? 0n, decimals, terms.paymentTokenDecimals)),
  );
  const tokens = tokensFor(accepted, terms, priceTicks);
  return { commitmentId, entityId, priceTicks: bid.priceTicks, committed, share, accepted, tokens, amounts };
}

function totalsByToken({ paymentTokens }: SettlementTerms, commitments: readonly SettledCommitment[]): TokenTotal[] {
  const totals = new Map(paymentTokens.map(({ address }) => [address, { committed: 0n, accepted: 0n }]));
  for (const { token, committed, accepted } of commitments.flatMap(({ amounts }) => amounts)) {
    const total = totals.get(token);
    if (total === undefined) continue;
    total.committed += committed;
    total.accepted += accepted;
  }
  return Array.from(totals, ([token, total]) => ({ token, ...total })).sort((one, other) =>
    ascending(one.token, other.token),
  );
}
