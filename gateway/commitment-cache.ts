import type { SaleRevision } from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsUpstream } from "./commitments-upstream.ts";
import type { CacheConfig } from "./config.ts";
import { NegativeCache } from "./negative-cache.ts";
import { PublicError, unavailable } from "./public-error.ts";
import type { Representation } from "./representation.ts";
import type { HeldSale, RepresentationStore } from "./representation-store.ts";

/** A sale is asked of the commitments service no more often than this. */
const MIN_LOAD_INTERVAL_MS = 100;

/** What to answer a read with. */
export interface Reading {
  readonly representation: Representation;
  /** Set where the body is older than `maxStaleMs`: whole seconds since it was last known to be current. */
  readonly ageSeconds: number | undefined;
}

export interface CommitmentCacheOptions {
  readonly upstream: CommitmentsUpstream;
  readonly store: RepresentationStore;
  readonly config: CacheConfig;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/**
 * The sales' public bodies in memory. A body counts as current at the time when the request that brought or confirmed
 * it was sent, so that its age is never understated.
 */
export class CommitmentCache {
  readonly #upstream: CommitmentsUpstream;
  readonly #store: RepresentationStore;
  readonly #config: CacheConfig;
  readonly #now: () => number;
  readonly #refusals: NegativeCache;
  readonly #loads = new Map<string, Promise<Representation>>();

  constructor({ upstream, store, config, now }: CommitmentCacheOptions) {
    this.#upstream = upstream;
    this.#store = store;
    this.#config = config;
    this.#now = now;
    this.#refusals = new NegativeCache(config.negativeSize);
  }

  /** The body of a sale, if it is held and not older than `maxStaleMs`. Any other text than a held UUID finds nothing. */
  fresh(saleUuid: string): Representation | undefined {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return undefined;
    const now = this.#now();
    if (now - sale.verifiedAt > this.#config.maxStaleMs) return undefined;
    sale.lastReadAt = now;
    return sale.representation;
  }

  /**
   * The body of a sale, asked of the commitments service where what is held is too old. While that fails, an older
   * body serves, up to `maxAgeMs`.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: `not_found`, `unavailable`, `deadline_exceeded`, `internal`
   */
  async read(saleUuid: string): Promise<Reading> {
    const representation = this.fresh(saleUuid);
    if (representation !== undefined) return { representation, ageSeconds: undefined };
    const held = this.#store.get(saleUuid);
    if (held !== undefined && this.#mayServeUnasked(held)) return this.#stale(held);
    try {
      return { representation: await this.#loadForReader(saleUuid), ageSeconds: undefined };
    } catch (error) {
      const left = this.#store.get(saleUuid);
      if (left === undefined) throw error;
      return this.#stale(left);
    }
  }

  /** The sales that were read within `idleMs`. */
  recentlyRead(): string[] {
    const since = this.#now() - this.#config.idleMs;
    return Array.from(this.#store.values())
      .filter((sale) => sale.lastReadAt >= since)
      .map((sale) => sale.uuid);
  }

  /**
   * Takes note of an answer about a sale's revision; `undefined` says that the sale can't be read any more.
   *
   * @param askedAt when that was asked
   * @returns whether the sale is to be loaded again
   */
  compare(saleUuid: string, current: SaleRevision | undefined, askedAt: number): boolean {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return false;
    const { generation, revision } = sale.representation;
    if (current?.generation === generation && current.revision === revision) {
      markCurrent(sale, askedAt);
      return false;
    }
    // An answer that was overtaken by a load says nothing new.
    if (current?.generation === generation && current.revision < revision) return false;
    return this.#now() - Math.max(sale.verifiedAt, sale.failedAt) >= MIN_LOAD_INTERVAL_MS;
  }

  /** Takes note that nothing could be learnt about these sales, so that their readers don't wait for nothing. */
  markFailed(saleUuids: readonly string[]): void {
    const now = this.#now();
    for (const uuid of saleUuids) {
      const sale = this.#store.get(uuid);
      if (sale !== undefined) sale.failedAt = now;
    }
  }

  /**
   * Loads a sale; while a load of it is under way, waits for that one.
   *
   * @throws PublicError
   */
  load(saleUuid: string): Promise<Representation> {
    const running = this.#loads.get(saleUuid);
    if (running !== undefined) return running;
    const load = this.#load(saleUuid).finally(() => this.#loads.delete(saleUuid));
    this.#loads.set(saleUuid, load);
    return load;
  }

  async #loadForReader(saleUuid: string): Promise<Representation> {
    const refusal = this.#refusals.get(saleUuid, this.#now());
    if (refusal !== undefined) throw refusal;
    if (this.#loads.size >= this.#config.maxLoads && !this.#loads.has(saleUuid)) {
      throw unavailable("Too many sales are being read for the first time.");
    }
    // A slice of a request keeps the whole request in memory; what is held must not.
    return this.load(Buffer.from(saleUuid, "latin1").toString("latin1"));
  }

  async #load(saleUuid: string): Promise<Representation> {
    const startedAt = this.#now();
    try {
      const representation = await this.#upstream.load(saleUuid, this.#store.get(saleUuid)?.representation);
      this.#hold(saleUuid, representation, startedAt);
      return representation;
    } catch (error) {
      if (error instanceof PublicError) this.#refuse(saleUuid, error);
      throw error;
    }
  }

  #hold(saleUuid: string, representation: Representation, loadedAt: number): void {
    this.#refusals.delete(saleUuid);
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) {
      this.#store.add(saleUuid, representation, loadedAt, this.#now());
    } else {
      this.#store.replace(sale, representation);
      markCurrent(sale, loadedAt);
    }
  }

  #refuse(saleUuid: string, error: PublicError): void {
    const isGone = error.code === "not_found";
    if (isGone) this.#store.delete(saleUuid);
    else this.markFailed([saleUuid]);
    const forMs = isGone ? this.#config.negativeTtlMs : MIN_LOAD_INTERVAL_MS;
    this.#refusals.set(saleUuid, error, this.#now() + forMs);
  }

  /**
   * Whether asking failed so lately that a reader need not wait for another failure. The background refresh ends this
   * when the service is back; the time outlasts a call of it that hangs.
   */
  #mayServeUnasked(sale: HeldSale): boolean {
    const { maxAgeMs, callTimeoutMs, maxStaleMs } = this.#config;
    const now = this.#now();
    return now - sale.verifiedAt <= maxAgeMs && now - sale.failedAt < callTimeoutMs + maxStaleMs;
  }

  #stale(sale: HeldSale): Reading {
    const now = this.#now();
    sale.lastReadAt = now;
    const ageMs = now - sale.verifiedAt;
    if (ageMs > this.#config.maxAgeMs) throw unavailable("The sale's figures can't be read at the moment.");
    return { representation: sale.representation, ageSeconds: Math.floor(ageMs / 1000) };
  }
}

function markCurrent(sale: HeldSale, at: number): void {
  sale.verifiedAt = Math.max(sale.verifiedAt, at);
  sale.failedAt = -Infinity;
}
