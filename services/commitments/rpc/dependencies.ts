import type { SaleAuthority } from "../authority/sale-authority.ts";
import type { ExtraDataParser } from "../domain/extra-data/extra-data.ts";
import type { CommitmentsStore } from "../use-cases/commitments-store.ts";
import type { RunningExports } from "../use-cases/running-exports.ts";
import type { SaleWatch } from "../watch/sale-watch.ts";
import type { WatchedState } from "./watched-state.ts";

/** What the handlers work with. */
export interface Dependencies {
  readonly store: CommitmentsStore;
  readonly authority: SaleAuthority;
  /** Upserts and removals in one apply, at most. */
  readonly applyMaxRows: number;
  /** The parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
  readonly exports: RunningExports;
  readonly watch: SaleWatch<WatchedState>;
  /** To be called where there may be something new in the outbox. */
  readonly wakeRelay: () => void;
}
