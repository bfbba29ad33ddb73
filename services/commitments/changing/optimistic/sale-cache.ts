import { LRUCache } from "lru-cache";
import type { Sale } from "../../../../common/sale/definition/sale.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import type { LoadedNodes } from "../../base/loaded-nodes.ts";

/** A sale with more nodes isn't cached. */
export const MAX_NODES_OF_SALE = 16_384;
/** The most nodes of all cached sales together; each takes about 200 bytes. */
const MAX_NODES = 65_536;
const MAX_SALES = 1_000;

/** Changes in a row after which a sale is changed optimistically: one that several processes change would rarely succeed. */
const MIN_THRESHOLD = 3;
const MAX_THRESHOLD = 1_000;
/** Multiplies the threshold after each attempt that failed, as all do where most commitments are changed again. */
const PENALTY = 2;

/** A sale as this process has committed it. The database holds the same for as long as its row has the same token. */
export interface CachedSale {
  readonly sale: Sale;
  readonly state: SaleState;
  readonly token: string;
  /** All nodes of the sale. They change in place. */
  readonly nodes: LoadedNodes;
  /** The database's time of the last change. */
  readonly changedAtMillis: bigint;
}

/** A change that this process has committed. */
export interface CommittedChange extends CachedSale {
  /** The row's token and revision before the change. */
  readonly tokenBefore: string | undefined;
  readonly revisionBefore: bigint;
}

interface Entry {
  /** Changes that this process has made one after another, without one of another process between them. */
  readonly streak: number;
  /** The streak from which on the sale is changed optimistically. */
  readonly threshold: number;
  /** The row's token and revision after the last change that this process has made. */
  readonly token: string;
  readonly revision: bigint;
  readonly cached: CachedSale | undefined;
}

/** The sales that this process has changed last, and whether it may change them optimistically. */
export class SaleCache {
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_SALES,
    maxSize: MAX_NODES + MAX_SALES,
    sizeCalculation: ({ cached }) => 1 + (cached?.nodes.size ?? 0),
  });

  /** Removes a cached sale and returns it: only a change that has succeeded leaves it in a known state. */
  take(saleUuid: string): CachedSale | undefined {
    const entry = this.#entries.get(saleUuid);
    if (entry?.cached === undefined) return undefined;
    this.#entries.set(saleUuid, { ...entry, cached: undefined });
    return entry.cached;
  }

  /** Returns what `take` does, but only if the stored sale is probably still the same. */
  takeTrusted(saleUuid: string): CachedSale | undefined {
    const entry = this.#entries.get(saleUuid);
    return entry !== undefined && entry.streak >= entry.threshold ? this.take(saleUuid) : undefined;
  }

  /** Whether the next change should read all nodes, so that the one after it can be optimistic. */
  wantsAllNodes(saleUuid: string): boolean {
    const entry = this.#entries.get(saleUuid);
    return entry !== undefined && entry.streak >= entry.threshold - 1;
  }

  /** Records that an attempt has failed, or can't be made as the sale has too many nodes: the next one comes later. */
  penalise(saleUuid: string): void {
    const entry = this.#entries.get(saleUuid);
    if (entry === undefined) return;
    const threshold = Math.min(entry.threshold * PENALTY, MAX_THRESHOLD);
    this.#entries.set(saleUuid, { ...entry, streak: 0, threshold });
  }

  /** Caches a sale that was just changed, unless some of its nodes are unknown, it has too many, or a change set is open. */
  store({ tokenBefore, revisionBefore, ...change }: CommittedChange): void {
    const { sale, state, token, nodes } = change;
    const before = this.#entries.get(sale.uuid);
    const continues = before !== undefined && before.token === tokenBefore && before.revision === revisionBefore;
    const streak = continues ? before.streak + 1 : 1;
    const threshold = before?.threshold ?? MIN_THRESHOLD;
    const isCacheable = nodes.isWhole && nodes.size <= MAX_NODES_OF_SALE && state.changeSet === undefined;
    this.#entries.set(sale.uuid, {
      streak,
      // As many attempts have succeeded as changes were waited for: the reason for the failures is over.
      threshold: streak >= 2 * threshold ? MIN_THRESHOLD : threshold,
      token,
      revision: state.revision,
      cached: isCacheable ? change : undefined,
    });
  }

  delete(saleUuid: string): void {
    this.#entries.delete(saleUuid);
  }
}
