import { LastSeenSales } from "./base/last-seen-sales.ts";
import type { CommitmentsDatabase } from "./base/schema.ts";
import type { CommitmentsStore } from "./changing/commitments-store.ts";
import { CachedSaleApply, type OptimisticOutcome } from "./changing/optimistic/cached-sale-apply.ts";
import { SaleChanges } from "./changing/sale-changes.ts";
import type { UnpublishedUpdate } from "./outbox/unpublished-updates.ts";

export interface CommitmentsStoreOptions {
  /** Called with each revision that this process has committed, those of a sale in their order. Does nothing by default. */
  readonly onCommitted?: (update: UnpublishedUpdate) => void;
  /** Called with the outcome of each optimistic apply. Does nothing by default. */
  readonly onOptimisticApply?: (outcome: OptimisticOutcome) => void;
  /** Whether sales may be changed; always by default. */
  readonly mayChange?: () => boolean;
}

/** Makes the store for the use cases. */
export function createCommitmentsStore(
  database: CommitmentsDatabase,
  { onCommitted = () => {}, onOptimisticApply = () => {}, mayChange = () => true }: CommitmentsStoreOptions = {},
): CommitmentsStore {
  const lastSeen = new LastSeenSales();
  const optimisticApply = database.dialect.messageOf && new CachedSaleApply({ database, onOutcome: onOptimisticApply });
  const changes = new SaleChanges({ database, lastSeen, onCommitted, optimisticApply, mayChange });
  return { database, lastSeen, changes };
}
