import { normaliseAmount } from "../figures/amount.ts";
import { ascending } from "../record/ascending.ts";
import type { BookCommitment, Refusal, SettlementTerms } from "./settlement-book.ts";

/** An amount of a bid, in one token from one wallet. */
export interface Cell {
  readonly wallet: string;
  readonly token: string;
  readonly decimals: number;
  /** Smallest units of `token`, at least 1. */
  readonly raw: bigint;
  /** Smallest payment units. */
  readonly amount: bigint;
  readonly isRefused: boolean;
}

/** A commitment as the rule sees it. */
export interface Bid {
  readonly commitmentId: string;
  readonly entityId: string;
  readonly priceTicks: bigint;
  /** In the order in which an accepted amount is divided: by decimals, token, wallet and amount ascending. */
  readonly cells: readonly Cell[];
  /** The sum of the cells, smallest payment units. */
  readonly committed: bigint;
  /** The sum of those that aren't refused. */
  readonly allowed: bigint;
}

/** Makes bids of commitments, by commitment ID ascending. @throws RangeError for a token that the sale doesn't list */
export function bidsOf(
  commitments: readonly BookCommitment[],
  terms: SettlementTerms,
  refusals: readonly Refusal[],
): readonly Bid[] {
  const decimals = new Map(terms.paymentTokens.map((token) => [token.address, token.decimals]));
  const entities = new Set(refusals.flatMap((each) => (each.kind === "entity" ? each.entityId : [])));
  const wallets = new Set(refusals.flatMap((each) => (each.kind === "wallet" ? each.wallet : [])));
  const cellOf = (entityId: string, { wallet, token, amount: raw }: BookCommitment["amounts"][number]): Cell => {
    const digits = decimals.get(token);
    if (digits === undefined) throw new RangeError(`${token} is not a payment token of the sale`);
    const amount = normaliseAmount(raw, digits, terms.paymentTokenDecimals);
    return { wallet, token, decimals: digits, raw, amount, isRefused: entities.has(entityId) || wallets.has(wallet) };
  };
  return commitments
    .map(({ commitmentId, entityId, priceTicks, amounts }) => {
      const cells = amounts.filter(({ amount }) => amount > 0n).map((each) => cellOf(entityId, each));
      return { commitmentId, entityId, priceTicks, ...sumsOf(cells), cells: cells.sort(byDivision) };
    })
    .sort((one, other) => ascending(one.commitmentId, other.commitmentId));
}

function sumsOf(cells: readonly Cell[]): Pick<Bid, "committed" | "allowed"> {
  let [committed, allowed] = [0n, 0n];
  for (const { amount, isRefused } of cells) {
    committed += amount;
    if (!isRefused) allowed += amount;
  }
  return { committed, allowed };
}

// Coarse tokens first, so that what they can't express is left to finer ones.
function byDivision(one: Cell, other: Cell): number {
  return (
    ascending(one.decimals, other.decimals) ||
    ascending(one.token, other.token) ||
    ascending(one.wallet, other.wallet) ||
    ascending(one.raw, other.raw)
  );
}
