import type { RunningExports } from "../../../common/platform/db/running-exports.ts";
import type { ExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { LastSeenSales } from "./last-seen-sales.ts";
import type { SaleAuthority } from "./sale-authority.ts";
import type { SalePermits } from "./sale-permits.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "./schema.ts";
import type { SourceChecker } from "./source-checker.ts";

/** The store as reads get it. */
export interface ReadableStore {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
}

/** The objects that all handlers may use. A subject that needs more extends it by objects of its own. */
export interface CommitmentsContext {
  readonly store: ReadableStore;
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
  /** Makes the relay read the outbox at once. */
  readonly wakeRelay: () => void;
}
