import type { LastSeenSales } from "../base/last-seen-sales.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { SaleChanges } from "./sale-changes.ts";

/** The store as use cases get it: one object a process and database, made by the composition root. */
export interface CommitmentsStore {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
  readonly changes: SaleChanges;
}
