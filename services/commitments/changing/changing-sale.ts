import type { Sale } from "../../../common/sale/definition/sale.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { SaleNodes } from "../base/sale-nodes.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { Prefetched } from "./prefetch.ts";

/** A sale while it is changed: locked in the database, or cached by an optimistic apply. */
export interface ChangingSale {
  /** Whether `transaction` can be used. If not, rows are inserted without looking whether they are stored. */
  readonly canRead: boolean;
  readonly transaction: Tx;
  readonly sale: Sale;
  readonly state: SaleState;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMillis: bigint;
  readonly nodes: SaleNodes;
  /** Takes what is written; it may be sent as late as with the commit, so nothing of it can be read. */
  readonly writes: PendingWrites;
  /** The rows that were read with the lock. */
  readonly prefetched: Prefetched;
  /** The write token of the sale's row before the change; undefined if the row has none. */
  readonly tokenBefore: string | undefined;
  /** The write token of the sale's row after the change. */
  readonly token: string;
  /** Writes the state with everything that is pending, and commits. */
  commit(state: SaleState): Promise<void>;
}
