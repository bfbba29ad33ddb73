import type { Sale } from "./sale.ts";
import type { SaleState, SourceStatus } from "./sale-state.ts";

export interface SaleWithState {
  readonly sale: Sale;
  readonly state: SaleState;
  /** Where it was asked for, and a reader has looked. */
  readonly sourceStatus?: SourceStatus;
}
