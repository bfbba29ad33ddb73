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
  /** Time at which the commitments service was last asked for the sale itself. */
  askedAt: number;
  /** Set by `noteRead` only, as `reads` is. */
  lastReadAt: number;
  /** Number of reads, each of which counts half as much after `READS_HALF_LIFE_MS`, as of `lastReadAt`. */
  reads: number;
  /** Its place among all sales of the store. */
  index: number;
}

const READS_HALF_LIFE_MS = 5 * 60_000;
/** Sales that are compared to find one that makes room. */
const SAMPLE = 8;
/** Sales that are looked through for one to pack before any is evicted: few are left unpacked then. */
const PACK_SAMPLE = 64;

/** Counts a read of a sale. */
export function noteRead(sale: HeldSale, now: number): void {
  sale.reads = readsAt(sale, now) + 1;
  sale.lastReadAt = now;
}

function readsAt({ reads, lastReadAt }: HeldSale, now: number): number {
  return reads * 2 ** ((lastReadAt - now) / READS_HALF_LIFE_MS);
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
 * Holds representations within a bound of bytes and of sales. Those that are read least often make room: of a few at random the least
 * frequently used one (Redis's allkeys-lfu), so that a walk over more sales than there is room for displaces only its own. Where bytes
 * are short, sales are packed first, and evicted once hardly any is left to pack.
 */
export class RepresentationStore {
  readonly #sales = new Map<string, HeldSale>();
  /** All sales, in no order. */
  readonly #list: HeldSale[] = [];
  readonly #bounds: StoreBounds;
  readonly #random: () => number;
  #bytes = 0;
  #evictions = 0;

  /** @param random returns a number from 0 up to, but not including, 1 */
  constructor(bounds: StoreBounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#sales.size;
  }

  /** Number of sales that have made room for others so far. */
  get evictions(): number {
    return this.#evictions;
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
    const askedAt = feed.knownAt;
    const sale = {
      uuid,
      representation,
      freshness,
      feed,
      askedAt,
      lastReadAt: now,
      reads: 1,
      index: this.#list.length,
    };
    this.#sales.set(uuid, sale);
    this.#list.push(sale);
    this.#bytes += representation.byteLength;
    this.#makeRoom(sale, now);
    return sale;
  }

  /** Holds another representation of a sale at `now`. Other sales make room for it. */
  replace(sale: HeldSale, representation: Representation, now: number): void {
    this.#bytes += representation.byteLength - sale.representation.byteLength;
    sale.representation = representation;
    this.#makeRoom(sale, now);
  }

  delete(saleUuid: string): void {
    const sale = this.#sales.get(saleUuid);
    if (sale === undefined) return;
    this.#sales.delete(saleUuid);
    const last = this.#list.pop();
    if (last !== undefined && last !== sale) {
      last.index = sale.index;
      this.#list[sale.index] = last;
    }
    this.#bytes -= sale.representation.byteLength;
  }

  #makeRoom(spared: HeldSale, now: number): void {
    const { maxBytes, maxSales } = this.#bounds;
    while (this.#bytes > maxBytes || this.#sales.size > maxSales) {
      const sample = this.#sample(spared, SAMPLE).toSorted((a, b) => readsAt(a, now) - readsAt(b, now));
      const packable = this.#sales.size > maxSales ? undefined : this.#packable(sample, spared);
      if (packable !== undefined) this.#pack(packable);
      else if (sample[0] !== undefined) this.#evict(sample[0]);
      else return;
    }
  }

  /** Returns some sales, all of them where there are few, else at random. Empty only if there is no other. */
  #sample(spared: HeldSale, count: number): HeldSale[] {
    const { length } = this.#list;
    const others = (index: number) => (index === spared.index ? (index + 1) % length : index);
    const picked =
      length <= count
        ? this.#list
        : Array.from({ length: count }, () => this.#list[others(Math.floor(this.#random() * length))]);
    return picked.filter((sale): sale is HeldSale => sale !== undefined && sale !== spared);
  }

  #packable(sample: readonly HeldSale[], spared: HeldSale): HeldSale | undefined {
    const isPackable = ({ representation }: HeldSale) => representation.isPackable;
    return sample.find(isPackable) ?? this.#sample(spared, PACK_SAMPLE).find(isPackable);
  }

  #pack({ representation }: HeldSale): void {
    this.#bytes -= representation.byteLength;
    representation.pack();
    this.#bytes += representation.byteLength;
  }

  #evict(sale: HeldSale): void {
    this.delete(sale.uuid);
    this.#evictions += 1;
  }
}
