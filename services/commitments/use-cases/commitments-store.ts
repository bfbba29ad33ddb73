import type { SaleChanges } from "../store/apply/sale-changes.ts";
import type { LastSeenSales } from "../store/read/last-seen-sales.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";

/** The store as use cases get it: one object a process and database, made by the composition root. */
export interface CommitmentsStore {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
  readonly changes: SaleChanges;
}
