import type { UnpublishedUpdate } from "./outbox/unpublished-updates.ts";
import { SaleChanges } from "./store/apply/sale-changes.ts";
import { CachedSaleApply, type OptimisticOutcome } from "./store/optimistic-apply/cached-sale-apply.ts";
import { LastSeenSales } from "./store/read/last-seen-sales.ts";
import type { CommitmentsDatabase } from "./store/sql/schema.ts";
import type { CommitmentsStore } from "./use-cases/commitments-store.ts";

export interface CommitmentsStoreOptions {
  /** Called with each revision that this process has committed, those of a sale in their order. Does nothing by default. */
  readonly onCommitted?: (update: UnpublishedUpdate) => void;
  /** Called with the outcome of each optimistic apply. Does nothing by default. */
  readonly onOptimisticApply?: (outcome: OptimisticOutcome) => void;
}

/** Makes the store for the use cases. */
export function createCommitmentsStore(
  database: CommitmentsDatabase,
  { onCommitted = () => {}, onOptimisticApply = () => {} }: CommitmentsStoreOptions = {},
): CommitmentsStore {
  const lastSeen = new LastSeenSales();
  const optimisticApply = database.dialect.messageOf && new CachedSaleApply({ database, onOutcome: onOptimisticApply });
  return { database, lastSeen, changes: new SaleChanges({ database, lastSeen, onCommitted, optimisticApply }) };
}
