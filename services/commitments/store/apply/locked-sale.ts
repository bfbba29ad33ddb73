import type { Sale } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import type { SaleMemory } from "../optimistic-apply/sale-cache.ts";
import type { PendingWrites } from "../sql/pending-writes.ts";
import type { SaleNodes } from "../sql/sale-nodes.ts";
import type { Tx } from "../sql/sale-rows.ts";
import type { Prefetched } from "./prefetch.ts";

/** A sale that nobody else changes until the change is committed. */
export interface LockedSale {
  /** @throws NotRemembered of a sale from memory: nothing can be read. */
  readonly transaction: Tx;
  readonly sale: Sale;
  readonly state: SaleState;
  /** The database's clock, in milliseconds since 1970; of a sale from memory, as this process can tell it. */
  readonly nowMillis: bigint;
  readonly nodes: SaleNodes;
  /** What is written at the end; nothing of it can be read before. */
  readonly writes: PendingWrites;
  /** What was read with the lock; of a sale from memory nothing, whatever there is. */
  readonly prefetched: Prefetched;
  /** What the sale's row bears from this change on. */
  readonly writeToken: Buffer;
  /** What this process remembers of it, where that is how it is. */
  readonly memory: SaleMemory | undefined;
  /** Nothing was locked or read: what is written stands only if the sale's row bears the token of `memory`. */
  readonly isFromMemory: boolean;
  /** Writes the state, with all that waits to be written, and commits. */
  commit(state: SaleState): Promise<void>;
}
