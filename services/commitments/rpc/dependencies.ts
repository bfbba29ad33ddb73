import type { RunningExports } from "../../../common/platform/db/running-exports.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { SaleAuthority } from "../authority/sale-authority.ts";
import type { Participation } from "../participation/participation.ts";
import type { SourceChecker } from "../sources/source-checker.ts";
import type { CommitmentsSchema } from "../store/sql/schema.ts";
import type { CommitmentsStore } from "../use-cases/commitments-store.ts";
import type { Webhooks } from "../use-cases/webhooks/webhooks.ts";
import type { SaleWatch } from "../watch/sale-watch.ts";
import type { WatchedState } from "./watched-state.ts";

/** The objects that the handlers use. */
export interface Dependencies {
  readonly store: CommitmentsStore;
  readonly authority: SaleAuthority;
  /** Stops permits for bids, and is asked whether a sale may open. */
  readonly participation: Participation;
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
