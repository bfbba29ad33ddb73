import type { RunningExports } from "../../../common/platform/db/running-exports.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import type { SaleWatch } from "../reading/sale-watch.ts";
import type { WatchedState } from "../reading/watched-state.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { SaleAuthority } from "./sale-authority.ts";
import type { SalePermits } from "./sale-permits.ts";
import type { CommitmentsSchema } from "./schema.ts";
import type { SourceChecker } from "./source-checker.ts";

/** The objects that the handlers use. */
export interface CommitmentsContext {
  readonly store: CommitmentsStore;
  readonly authority: SaleAuthority;
  /** Stops permits for bids, and is asked whether a sale may open. */
  readonly permits: SalePermits;
  /** Checks contracts and tokens before a sale is public with them. */
  readonly sources: SourceChecker;
  /** The most upserts and removals in one apply. */
  readonly applyMaxRows: number;
  /** Returns the parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
  readonly exports: RunningExports<CommitmentsSchema>;
  readonly watch: SaleWatch<WatchedState>;
  /** Undefined where this deployment has no webhooks. */
  readonly webhooks: Webhooks | undefined;
  /** Makes the relay read the outbox at once. */
  readonly wakeRelay: () => void;
}
