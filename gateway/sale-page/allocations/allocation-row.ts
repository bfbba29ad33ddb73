import type { Figure } from "../../../common/sale/words/figure.ts";
import type {
  ListWalletAllocationsResponse,
  WalletAllocation,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { amountFigure } from "../browser/numbers.js";
import { offeredFigure } from "../browser/offer.js";
import { soldPrice, tokensAt } from "../browser/position-view.js";
import type { SaleView } from "../view/sale-view.ts";

/** The figures of a wallet; those that nobody says, or that don't follow from one price, are undefined. */
export interface AllocationFigures {
  readonly committed: Figure;
  readonly accepted: Figure;
  readonly refunded: Figure | undefined;
  /** Offered tokens for what is accepted. */
  readonly tokens: Figure | undefined;
}

export interface AllocationRow {
  readonly wallet: string;
  /** Undefined for a wallet whose commitments are too many to be added up in a list. */
  readonly figures: AllocationFigures | undefined;
}

/** Returns the rows of a page of allocations, in the language that is being written. */
export function allocationRows(
  page: ListWalletAllocationsResponse,
  sale: Pick<SaleView, "units" | "facts">,
): readonly AllocationRow[] {
  return page.wallets.map((wallet) => ({ wallet: wallet.wallet, figures: figuresOf(wallet, page, sale) }));
}

function figuresOf(
  { sums }: WalletAllocation,
  { paymentTokenDecimals, clearingPrice }: ListWalletAllocationsResponse,
  { units, facts }: Pick<SaleView, "units" | "facts">,
): AllocationFigures | undefined {
  if (sums === undefined) return undefined;
  const amount = (text: string) => amountFigure(BigInt(text), { ...units, payment: paymentTokenDecimals });
  const price = soldPrice(facts, clearingPrice?.price, sums.prices);
  const tokens = tokensAt(BigInt(sums.accepted), price);
  return {
    committed: amount(sums.committed),
    accepted: amount(sums.accepted),
    refunded: sums.refunded === undefined ? undefined : amount(sums.refunded),
    tokens: tokens === undefined ? undefined : offeredFigure(tokens, facts.OfferedToken),
  };
}
