import { setImmediate } from "node:timers/promises";
import { ALL_FILLED } from "../base/domain/sale-state.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { fillNextWallets } from "./fill-wallets-store.ts";
import { unfilledSales } from "./unfilled-sales-store.ts";

export interface FillOptions {
  /** Stops it after the current batch. */
  readonly signal: AbortSignal;
  /** Called with each sale whose rows are complete now. */
  readonly onFilled: (saleUuid: string) => void;
  /** Called with each sale that failed. The others are filled in all the same; the next run tries it again. */
  readonly onFailure: (saleUuid: string, error: unknown) => void;
}

/**
 * Writes the rows by wallet of all sales that lack some: sales from before there were such rows, and those that a process of
 * an older version has changed since. It goes through a sale's commitments by ID, a batch a transaction, and continues where
 * it, or another process, has stopped; applies go on in between.
 */
export async function fillWalletRows(store: CommitmentsStore, options: FillOptions): Promise<void> {
  for (const saleUuid of await unfilledSales(store.database)) {
    try {
      await fillSale(store, saleUuid, options);
    } catch (error) {
      options.onFailure(saleUuid, error);
    }
  }
}

async function fillSale(store: CommitmentsStore, saleUuid: string, { signal, onFilled }: FillOptions): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    more = await fillBatch(store, saleUuid);
    if (!more) onFilled(saleUuid);
    // SQLite runs in the process: without this, nothing else would until the end.
    await setImmediate();
  }
}

/** @returns whether commitments are left */
async function fillBatch({ database: { dialect }, changes }: CommitmentsStore, saleUuid: string): Promise<boolean> {
  return changes.run<boolean>(saleUuid, async (changing) => {
    if (changing.state.walletsFilledTo === ALL_FILLED) return { unchanged: false };
    const state = await fillNextWallets(dialect, changing);
    return { state, result: ({ walletsFilledTo }) => walletsFilledTo !== ALL_FILLED };
  });
}
