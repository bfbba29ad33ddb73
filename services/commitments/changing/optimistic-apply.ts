import type { CompiledQuery } from "kysely";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { LoadedNodes, NodeRow, NodeSelection } from "../base/loaded-nodes.ts";
import type { ChangingSale } from "./changing-sale.ts";

/** The nodes of a sale that is being locked. */
export interface NodesAtLock {
  /** Reads nodes in the message of the lock; undefined if none are to be read. */
  readonly statement: CompiledQuery<NodeRow> | undefined;
  /** Returns the nodes that are known. @param rows what `statement` has found, @param state and token of the locked row */
  loaded(rows: readonly NodeRow[], state: SaleState, token: string | undefined): LoadedNodes;
}

/**
 * Changes cached sales without locking and reading them first. An optimisation: without it, every change locks its sale. See
 * `optimistic/README.md`.
 */
export interface OptimisticApply {
  /**
   * Runs `work` on the cached sale, whose `commit` succeeds only if the stored sale is still as it was cached.
   *
   * @returns undefined if nothing was committed: the sale is to be locked, and `work` to be run again.
   */
  attempt<Result>(
    saleUuid: string,
    work: (sale: ChangingSale) => Promise<Result>,
  ): Promise<{ readonly done: Result } | undefined>;

  /** Decides which nodes are read with the lock: those of `selection`, all, or none because they are cached. */
  nodesAtLock(saleUuid: string, selection: NodeSelection | undefined): NodesAtLock;

  /** Caches a sale after a change of it was committed. @param state as it is stored now */
  committed(sale: ChangingSale, state: SaleState, definitionChanged: boolean): void;
}
