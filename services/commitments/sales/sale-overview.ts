import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import type { TrendBase } from "../reading/trend.ts";

/** A sale's figures at one time. */
export interface SaleFigures {
  readonly total: bigint;
  readonly count: bigint;
  /** Only in an auction. */
  readonly clearingTick?: bigint;
}

/** A sale with its figures now and about a day ago; see `SaleOverview` of the contract. */
export interface SaleOverview extends SaleWithState {
  readonly figures?: SaleFigures;
  readonly earlier?: TrendBase<SaleFigures>;
}
