import type { SaleDefinition } from "../../domain/sale/sale.ts";
import type { SaleState } from "../../domain/sale/sale-state.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";

const MAX_SALES = 1_000;

/** What a process last saw of a sale. Others may have changed it since: it tells what to read, and decides nothing. */
export interface KnownSale {
  readonly definition: SaleDefinition;
  readonly state: SaleState;
}

const salesOf = new WeakMap<CommitmentsDatabase, Map<string, KnownSale>>();

export function knownSale(database: CommitmentsDatabase, saleUuid: string): KnownSale | undefined {
  return salesOf.get(database)?.get(saleUuid);
}

/** Remembers a sale, and forgets the one that wasn't for longest where there are too many. */
export function rememberSale(database: CommitmentsDatabase, saleUuid: string, sale: KnownSale): void {
  const sales = salesOf.get(database) ?? new Map<string, KnownSale>();
  salesOf.set(database, sales);
  sales.delete(saleUuid);
  sales.set(saleUuid, sale);
  const [oldest] = sales.keys();
  if (sales.size > MAX_SALES && oldest !== undefined) sales.delete(oldest);
}
