import type { Sale } from "../../../../common/sale/definition/sale.ts";
import type { FeedState } from "./feed-state.ts";
import type { SaleState, SourceStatus } from "./sale-state.ts";

export interface SaleWithState {
  readonly sale: Sale;
  readonly state: SaleState;
  /** Present if it was asked for and a reader has reported. */
  readonly sourceStatus?: SourceStatus;
  /** Present with `sourceStatus`. */
  readonly feedState?: FeedState;
}
