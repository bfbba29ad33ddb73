import type { FeedState } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Freshness } from "./freshness.ts";
import type { Representation } from "./representation.ts";

/** The commitments service's last statement of how current a sale's figures are. */
export interface KnownFeed {
  /** Undefined where the commitments service is of an older version. */
  readonly state: FeedState | undefined;
  /** Time at which the commitments service was asked. */
  readonly knownAt: number;
}

/** A sale in the store, with the times (monotonic, ms) that decide which sale makes room. */
export interface HeldSale {
  readonly uuid: string;
  representation: Representation;
  freshness: Freshness;
  feed: KnownFeed;
  lastReadAt: number;
  /** Time of the last move to the end of the queue for eviction. */
  queuedAt: number;
}

export interface StoreBounds {
  readonly maxBytes: number;
  readonly maxSales: number;
}

interface NewSale {
  readonly freshness: Freshness;
  readonly feed: KnownFeed;
  readonly now: number;
}

/**
 * Holds representations within a bound of bytes and of sales. Evicts by second chance (clock): a sale that was read
 * since it was queued goes to the end once more. So a hit only writes a number.
 */
export class RepresentationStore {
  readonly #sales = new Map<string, HeldSale>();
  readonly #bounds: StoreBounds;
  #bytes = 0;

  constructor(bounds: StoreBounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#sales.size;
  }

  get(saleUuid: string): HeldSale | undefined {
    return this.#sales.get(saleUuid);
  }

  values(): Iterable<HeldSale> {
    return this.#sales.values();
  }

  /** Holds a new sale as read at `now`. Others make room for it; it stays itself, however large. */
  add(uuid: string, representation: Representation, { freshness, feed, now }: NewSale): HeldSale {
    this.delete(uuid);
    const sale = { uuid, representation, freshness, feed, lastReadAt: now, queuedAt: now };
    this.#sales.set(uuid, sale);
    this.#bytes += representation.byteLength;
    this.#evict(sale);
    return sale;
  }

  /** Holds another representation of a sale. Other sales make room for it. */
  replace(sale: HeldSale, representation: Representation): void {
    this.#bytes += representation.byteLength - sale.representation.byteLength;
    sale.representation = representation;
    this.#evict(sale);
  }

  delete(saleUuid: string): void {
    const sale = this.#sales.get(saleUuid);
    if (sale === undefined) return;
    this.#sales.delete(saleUuid);
    this.#bytes -= sale.representation.byteLength;
  }

  #evict(spared: HeldSale): void {
    // A sale that is queued again has queuedAt = lastReadAt, so the walk passes each sale twice at most.
    for (const sale of this.#sales.values()) {
      if (this.#bytes <= this.#bounds.maxBytes && this.#sales.size <= this.#bounds.maxSales) return;
      if (sale === spared) continue;
      if (sale.lastReadAt > sale.queuedAt) this.#queueAgain(sale);
      else this.delete(sale.uuid);
    }
  }

  #queueAgain(sale: HeldSale): void {
    sale.queuedAt = sale.lastReadAt;
    this.#sales.delete(sale.uuid);
    this.#sales.set(sale.uuid, sale);
  }
}
