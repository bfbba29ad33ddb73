import type { CommitmentsContext, ReadableStore } from "../base/context.ts";
import type { SaleChanges } from "./sale-changes.ts";

/** The store as handlers that change sales get it: one object a process and database, made by the composition root. */
export interface CommitmentsStore extends ReadableStore {
  readonly changes: SaleChanges;
}

/** The objects that handlers which change sales use. */
export interface ChangingContext extends CommitmentsContext {
  readonly store: CommitmentsStore;
}
