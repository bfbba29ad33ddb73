import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { SaleState } from "./domain/sale-state.ts";

const MAX_SALES = 1_000;

/** A sale as this process last saw it. */
export interface LastSeenSale {
  readonly definition: SaleDefinition;
  readonly state: SaleState;
}

/**
 * The sales that this process has changed last, and those of which a read has found something else than it expected. Others may
 * have changed them since: an entry is a hint what to read and to prepare, and decides nothing.
 */
export class LastSeenSales {
  readonly #sales = new LRUCache<string, LastSeenSale>(atMost(MAX_SALES));

  get(saleUuid: string): LastSeenSale | undefined {
    return this.#sales.get(saleUuid);
  }

  /** Takes a sale as a read has found it, unless a change is later. */
  note(saleUuid: string, sale: LastSeenSale): void {
    const seen = this.#sales.get(saleUuid)?.state;
    const isLater = seen?.generation === sale.state.generation && seen.revision > sale.state.revision;
    if (!isLater) this.#sales.set(saleUuid, sale);
  }

  set(saleUuid: string, sale: LastSeenSale): void {
    this.#sales.set(saleUuid, sale);
  }
}
