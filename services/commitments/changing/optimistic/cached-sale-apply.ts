import { ServiceError } from "../../../../common/platform/errors/service-error.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import { LoadedNodes, type NodeSelection } from "../../base/loaded-nodes.ts";
import { selectAllNodes } from "../../base/sale-nodes.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import type { ChangingSale } from "../changing-sale.ts";
import { selectedNodes } from "../lock-sale.ts";
import type { NodesAtLock, OptimisticApply } from "../optimistic-apply.ts";
import { REFUSED_COLUMN } from "./optimistic-lock.ts";
import { NeedsLock, OptimisticSale } from "./optimistic-sale.ts";
import { type CachedSale, MAX_NODES_OF_SALE, SaleCache } from "./sale-cache.ts";

/** `conflict`: the stored sale isn't the cached one. `fallback`: something else needs the lock. */
export type OptimisticOutcome = "hit" | "conflict" | "fallback";

export interface CachedSaleApplyDependencies {
  /** Takes several statements in one message: only then an attempt saves anything. */
  readonly database: CommitmentsDatabase;
  readonly onOutcome: (outcome: OptimisticOutcome) => void;
}

/** Optimistic concurrency control over the sales that this process has changed last; see README.md. */
export class CachedSaleApply implements OptimisticApply {
  readonly #database: CommitmentsDatabase;
  readonly #onOutcome: (outcome: OptimisticOutcome) => void;
  readonly #cache = new SaleCache();

  constructor({ database, onOutcome }: CachedSaleApplyDependencies) {
    this.#database = database;
    this.#onOutcome = onOutcome;
  }

  async attempt<Result>(
    saleUuid: string,
    work: (sale: ChangingSale) => Promise<Result>,
  ): Promise<{ readonly done: Result } | undefined> {
    const nowMillis = this.#database.clock.now();
    const cached = nowMillis === undefined ? undefined : this.#cache.takeTrusted(saleUuid);
    if (nowMillis === undefined || cached === undefined) return undefined;
    try {
      const done = await work(new OptimisticSale(this.#database, cached, nowMillis));
      this.#onOutcome("hit");
      return { done };
    } catch (error) {
      const outcome = this.#outcomeOf(error);
      if (outcome === undefined) throw error;
      this.#onOutcome(outcome);
      this.#cache.penalise(saleUuid);
      return undefined;
    }
  }

  nodesAtLock(saleUuid: string, selection: NodeSelection | undefined): NodesAtLock {
    const { dialect } = this.#database;
    const cached = this.#cache.take(saleUuid);
    if (cached !== undefined) return nodesIfSame(cached);
    if (selection === undefined || !this.#cache.wantsAllNodes(saleUuid)) {
      return selectedNodes(dialect, saleUuid, selection);
    }
    return {
      statement: selectAllNodes(dialect, saleUuid, MAX_NODES_OF_SALE + 1),
      loaded: (rows) => {
        if (rows.length <= MAX_NODES_OF_SALE) return LoadedNodes.whole(rows);
        this.#cache.penalise(saleUuid);
        return LoadedNodes.none();
      },
    };
  }

  committed(sale: ChangingSale, state: SaleState, definitionChanged: boolean): void {
    const { uuid } = sale.sale;
    // Another definition may change more of the sale than is known here.
    if (definitionChanged) this.#cache.delete(uuid);
    else
      this.#cache.store({
        sale: sale.sale,
        state,
        token: sale.token,
        nodes: sale.nodes.known,
        changedAtMillis: sale.nowMillis,
        tokenBefore: sale.tokenBefore,
        revisionBefore: sale.state.revision,
      });
  }

  /** Recognises the failures that are expected of an attempt; undefined for all others, which are errors. */
  #outcomeOf(error: unknown): Exclude<OptimisticOutcome, "hit"> | undefined {
    const { dialect } = this.#database;
    if (dialect.isNullRefused(error, REFUSED_COLUMN)) return "conflict";
    const isExpected =
      error instanceof NeedsLock ||
      // Only the stored sale may refuse a change.
      error instanceof ServiceError ||
      // A commitment is stored already, or the request was applied before.
      dialect.isDuplicateKey(error) ||
      // The locked change repeats what may succeed then, and says why it doesn't.
      dialect.isTransient(error) ||
      dialect.hostFault(error) !== undefined;
    return isExpected ? "fallback" : undefined;
  }
}

/** The cached nodes, if the locked row is the cached one. Processes of an older version leave the token as it is. */
function nodesIfSame({ token: cachedToken, state: { revision }, nodes }: CachedSale): NodesAtLock {
  return {
    statement: undefined,
    loaded: (_, state, token) => {
      const isSame = token === cachedToken && state.revision === revision && state.changeSet === undefined;
      return isSame ? nodes : LoadedNodes.none();
    },
  };
}
