import type { Transaction } from "kysely";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";

/** The data about a sale that a subject erases when the sale was removed. Each step may be repeated. */
export interface SaleErasure {
  /** Deletes what is short, in the transaction that locks the sale. */
  readonly short?: (transaction: Transaction<EntitiesSchema>, saleUuid: string) => Promise<void>;
  /** Deletes what may be long, after that transaction and outside of the lock. */
  readonly long?: (database: EntitiesDatabase, saleUuid: string) => Promise<void>;
}
