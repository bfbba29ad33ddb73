import type { CompiledQuery } from "kysely";
import { BATCH_SIZE } from "../../../common/platform/db/batches.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import type { AuctionPricing } from "../../../common/sale/definition/sale.ts";
import { type TickWidth, tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import { type StoredRow, selectStored } from "../base/commitment-rows.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { LastSeenSale } from "../base/last-seen-sales.ts";
import type { NodeSelection } from "../base/loaded-nodes.ts";
import { nodesAbove, pathTo } from "../base/sale-nodes.ts";
import { type AppliedRequestRow, selectAppliedRequest } from "./apply-request.ts";
import type { ApplyRequest } from "./domain/prepare-apply.ts";

/** The most rows of an apply whose nodes are read with the lock; a larger one reads them batch by batch as it writes. */
export const SMALL_APPLY_ROWS = 50;

/** The reads that are sent in the message of the lock. */
export interface Prefetch {
  readonly nodes?: NodeSelection;
  readonly appliedRequest?: CompiledQuery<AppliedRequestRow>;
  readonly stored?: CompiledQuery<StoredRow>;
}

/** The rows that a `Prefetch` has found; undefined for a statement that it doesn't have. */
export interface Prefetched {
  readonly appliedRequest?: readonly AppliedRequestRow[] | undefined;
  readonly stored?: readonly StoredRow[] | undefined;
}

/** Names what an apply will want to read if the sale is still as it was last seen; what is missing then is read later. */
export function prefetchForApply(
  dialect: SqlDialect,
  { saleUuid, requestId, upserts, removals }: ApplyRequest,
  { definition, state }: LastSeenSale,
): Prefetch {
  const { pricing } = definition;
  const ids = [...upserts.map(({ commitmentId }) => commitmentId), ...removals];
  const readsStored = looksUpStored(state, removals) && ids.length > 0 && ids.length <= BATCH_SIZE;
  const width = tickWidth(definition);
  const path = pricing.kind === "auction" ? pathsOf(width, pricing, state) : NO_PATH;
  const touched = pricing.kind === "auction" && upserts.length <= SMALL_APPLY_ROWS ? upserts : [];
  const keys = nodesAbove(
    width,
    touched.map(({ priceTicks }) => priceTicks),
  );
  return {
    nodes: { width, classes: activeClasses(state, definition.cancelledKeepsAmounts), ...path, keys },
    appliedRequest: selectAppliedRequest(dialect, saleUuid, requestId),
    ...(readsStored && { stored: selectStored(dialect, saleUuid, ids) }),
  };
}

const NO_PATH = { childrenOf: [] };

/** Selects the nodes of a descent to the clearing price, and those of the bids below the floor. */
function pathsOf(width: TickWidth, { floorTicks }: AuctionPricing, { clearingTick = floorTicks }: SaleState) {
  return { childrenOf: pathTo(width, clearingTick).childrenOf, below: floorTicks };
}

/** Whether stored rows are read before rows are written. Before the first whole snapshot most rows are new: they are inserted. */
export function looksUpStored({ hasSnapshot }: SaleState, removals: readonly string[]): boolean {
  return hasSnapshot || removals.length > 0;
}
