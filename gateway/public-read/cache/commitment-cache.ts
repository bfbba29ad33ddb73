import { setTimeout as delay } from "node:timers/promises";
import type { SaleRevision } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleUpdated } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { PublicError, unavailable } from "../../web/http/public-error.ts";
import type { CacheConfig } from "./cache-config.ts";
import type { CommitmentsUpstream } from "./commitments-upstream.ts";
import { NegativeCache } from "./negative-cache.ts";
import { nextBody } from "./next-body.ts";
import { Representation } from "./representation.ts";
import type { HeldSale, RepresentationStore } from "./representation-store.ts";

/** A sale is asked of the commitments service no more often than this. */
const MIN_LOAD_INTERVAL_MS = 100;

/** For so long what is shown may rest on what the bus has told; then nothing more is believed before the sale is loaded whole. */
const MAX_ADVANCING_MS = 60_000;
/**
 * Before that it is loaded while readers have what the bus tells: at a time between these of its own, as sales of which the bus
 * began to tell together would else be loaded together every time.
 */
const RELOAD_AFTER_MS = { least: 30_000, most: 50_000 };
/** Where that load fails, or is overtaken by what the bus tells. */
const RELOAD_AGAIN_MS = 5_000;

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
  /** From 0 up to, but not, 1. */
  readonly random?: () => number;
}

/** A state that somebody has had of a sale. */
export type HadRevision = Pick<SaleRevision, "generation" | "revision">;

/** What the bus tells of a sale. */
export type ToldRevision = Pick<SaleRevision, "saleUuid" | "generation" | "revision">;

/** Is told of each other body that a sale that is held gets. */
export type ReplacementListener = (saleUuid: string, representation: Representation) => void;

/**
 * The sales' public bodies in memory. A body counts as current at the time when the request that brought or confirmed
 * it was sent, so that its age is never understated.
 */
export class CommitmentCache {
  readonly #upstream: CommitmentsUpstream;
  readonly #store: RepresentationStore;
  readonly #config: CacheConfig;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #refusals: NegativeCache;
  readonly #loads = new Map<string, Promise<HeldSale>>();
  /** Loads that haven't begun yet, for readers who have had more than is held. */
  readonly #loadsAnew = new Map<string, Promise<HeldSale>>();
  #onReplaced: ReplacementListener = () => {};

  constructor({ upstream, store, config, now, random = Math.random }: CommitmentCacheOptions) {
    this.#upstream = upstream;
    this.#store = store;
    this.#config = config;
    this.#now = now;
    this.#random = random;
    this.#refusals = new NegativeCache(config.negativeSize);
  }

  /** Sets the one who is told, in place of the one before. */
  onReplaced(listener: ReplacementListener): void {
    this.#onReplaced = listener;
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
   * body serves, up to `maxAgeMs`: readers after the first one have it at once and don't wait for the next try.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: `not_found`, `unavailable`, `deadline_exceeded`, `internal`
   */
  async read(saleUuid: string): Promise<Reading> {
    const representation = this.fresh(saleUuid);
    if (representation !== undefined) return { representation, ageSeconds: undefined };
    const held = this.#store.get(saleUuid);
    if (held !== undefined && this.#mayServeUnasked(held)) {
      this.#retryUnwaited(held);
      return this.#stale(held);
    }
    try {
      return this.#reading(await this.#loadForReader(saleUuid));
    } catch (error) {
      const left = this.#store.get(saleUuid);
      if (left === undefined) throw error;
      return this.#stale(left);
    }
  }

  /**
   * The body of a sale for a reader who has had a state of it already. Where what is held doesn't go on from that one,
   * the commitments service says what holds now, so that nobody is led back to an older state.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: as `read`, and also while only an older body is held and the commitments service doesn't answer
   */
  async readSince(saleUuid: string, had: HadRevision): Promise<Representation> {
    const { representation } = await this.read(saleUuid);
    if (goesOnFrom(representation, had)) return representation;
    let anew = this.#loadsAnew.get(saleUuid);
    if (anew === undefined) {
      anew = this.#loadAnew(saleUuid);
      this.#loadsAnew.set(saleUuid, anew);
    }
    return (await anew).representation;
  }

  /** A load that begins from now on, shared by all who ask for one before it does, and no sooner after the one before than others. */
  async #loadAnew(saleUuid: string): Promise<HeldSale> {
    try {
      const held = this.#store.get(saleUuid);
      const waitMs = held === undefined ? 0 : held.verifiedAt + MIN_LOAD_INTERVAL_MS - this.#now();
      if (waitMs > 0) await delay(Math.min(waitMs, MIN_LOAD_INTERVAL_MS));
      // A load that began before the reader came may be too early.
      await this.#loads.get(saleUuid)?.catch(() => undefined);
    } finally {
      this.#loadsAnew.delete(saleUuid);
    }
    return this.#loadWithinBounds(saleUuid);
  }

  /** The sales that were read within `idleMs`. */
  recentlyRead(): string[] {
    const since = this.#now() - this.#config.idleMs;
    return Array.from(this.#store.values())
      .filter((sale) => sale.lastReadAt >= since)
      .map((sale) => sale.uuid);
  }

  /** Whether a sale that was read within `idleMs` may have to be loaded for a revision that the bus tells of. */
  isBehind(told: ToldRevision): boolean {
    const sale = this.#store.get(told.saleUuid);
    if (sale === undefined || this.#now() - sale.lastReadAt > this.#config.idleMs) return false;
    return sale.representation.generation !== told.generation || sale.representation.revision < told.revision;
  }

  /** Whether what is held, and could be loaded last time, is older than a revision of the same generation. */
  isOlder(told: ToldRevision): boolean {
    const sale = this.#store.get(told.saleUuid);
    if (sale === undefined || sale.failedAt !== -Infinity) return false;
    return isOlderThan(sale.representation, told);
  }

  /**
   * Makes of what is held the next revision, where the bus has told all that it takes. When it was current is left as it
   * was: that the bus tells nothing more proves nothing.
   *
   * @returns whether the sale is as the event says
   * @throws where the event breaks its contract
   */
  advance(event: SaleUpdated): boolean {
    const sale = this.#store.get(event.saleUuid);
    if (sale === undefined || this.#now() > sale.advancesUntil) return false;
    const { generation, revision, body, sale: summary } = sale.representation;
    const isNext = event.generation === generation && event.revision === revision + 1n;
    if (!isNext || !event.readable || event.status !== summary?.status) return false;
    const next = nextBody(body, event);
    if (next === undefined) return false;
    if (!restsOnEvents(sale)) this.#limitAdvancing(sale);
    this.#replace(sale, new Representation(generation, event.revision, next, summary));
    return true;
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
    // A later one than the answer was current then, too, where it came after the question: the answer was overtaken. Where it
    // was held before, the database has lost what it had.
    const isCurrent = current?.revision === revision || sale.replacedAt >= askedAt;
    if (current?.generation === generation && current.revision <= revision) {
      // That the revision is the latest one says nothing of a body that nobody has confirmed for too long.
      if (isCurrent && this.#now() <= sale.advancesUntil) markCurrent(sale, askedAt);
      return this.#takeReload(sale);
    }
    return this.#now() - Math.max(sale.verifiedAt, sale.failedAt) >= MIN_LOAD_INTERVAL_MS;
  }

  /**
   * Loads a sale; while a load of it is under way, waits for that one.
   *
   * @throws PublicError
   */
  load(saleUuid: string): Promise<HeldSale> {
    const running = this.#loads.get(saleUuid);
    if (running !== undefined) return running;
    const load = this.#load(saleUuid).finally(() => this.#loads.delete(saleUuid));
    this.#loads.set(saleUuid, load);
    return load;
  }

  async #loadForReader(saleUuid: string): Promise<HeldSale> {
    const isUnderWay = this.#loads.has(saleUuid);
    const sale = await this.#loadWithinBounds(saleUuid);
    // A load that began before this reader came may answer with what had changed by then.
    return isUnderWay && this.#isStale(sale) ? await this.#loadWithinBounds(saleUuid) : sale;
  }

  async #loadWithinBounds(saleUuid: string): Promise<HeldSale> {
    const refusal = this.#refusals.get(saleUuid, this.#now());
    if (refusal !== undefined) throw refusal;
    if (!this.#loads.has(saleUuid) && this.#hasMaxLoads()) {
      throw unavailable("Too many sales are being read at the moment.");
    }
    // A slice of a request keeps the whole request in memory; what is held must not.
    return await this.load(Buffer.from(saleUuid, "latin1").toString("latin1"));
  }

  async #load(saleUuid: string): Promise<HeldSale> {
    const startedAt = this.#now();
    try {
      const held = this.#store.get(saleUuid);
      const isAnew = held !== undefined && restsOnEvents(held);
      const representation = await this.#upstream.load(saleUuid, held?.representation, isAnew);
      return this.#hold(saleUuid, representation, startedAt);
    } catch (error) {
      if (error instanceof PublicError) this.#refuse(saleUuid, error);
      throw error;
    }
  }

  #hold(saleUuid: string, representation: Representation, loadedAt: number): HeldSale {
    this.#refusals.delete(saleUuid);
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) {
      return this.#store.add(saleUuid, representation, { verifiedAt: loadedAt, now: this.#now() });
    }
    markCurrent(sale, loadedAt);
    // What was told meanwhile may be later than what was asked for.
    if (representation === sale.representation || isOlderThan(representation, sale.representation)) return sale;
    sale.advancesUntil = Infinity;
    sale.reloadsFrom = Infinity;
    this.#replace(sale, representation.after(sale.representation));
    return sale;
  }

  #limitAdvancing(sale: HeldSale): void {
    const { least, most } = RELOAD_AFTER_MS;
    const now = this.#now();
    sale.advancesUntil = now + MAX_ADVANCING_MS;
    sale.reloadsFrom = now + least + (most - least) * this.#random();
  }

  /** Whether the commitments service is to say anew what has rested on what the bus told for long; not again soon. */
  #takeReload(sale: HeldSale): boolean {
    const now = this.#now();
    if (now <= sale.reloadsFrom) return false;
    sale.reloadsFrom = now + RELOAD_AGAIN_MS;
    return true;
  }

  #replace(sale: HeldSale, representation: Representation): void {
    this.#store.replace(sale, representation);
    sale.replacedAt = this.#now();
    this.#onReplaced(sale.uuid, representation);
  }

  #refuse(saleUuid: string, error: PublicError): void {
    const now = this.#now();
    const isGone = error.code === "not_found";
    const sale = this.#store.get(saleUuid);
    if (isGone) this.#store.delete(saleUuid);
    else if (sale !== undefined) sale.failedAt = now;
    this.#refusals.set(saleUuid, error, now + (isGone ? this.#config.negativeTtlMs : MIN_LOAD_INTERVAL_MS));
  }

  /**
   * Whether a load failed so lately that a reader need not wait for another failure. The time outlasts a load that was
   * begun within `maxStaleMs` of that failure and hangs, so that readers who keep coming don't wait again.
   */
  #mayServeUnasked(sale: HeldSale): boolean {
    const { maxAgeMs, callTimeoutMs, maxStaleMs } = this.#config;
    const now = this.#now();
    return now - sale.verifiedAt <= maxAgeMs && now - sale.failedAt < callTimeoutMs + maxStaleMs;
  }

  #retryUnwaited(sale: HeldSale): void {
    const isDue = this.#now() - sale.failedAt >= this.#config.maxStaleMs;
    if (!isDue || this.#loads.has(sale.uuid) || this.#hasMaxLoads()) return;
    // A failure is noted by the load itself.
    this.load(sale.uuid).catch(() => {});
  }

  #hasMaxLoads(): boolean {
    return this.#loads.size >= this.#config.maxLoads;
  }

  #isStale(sale: HeldSale): boolean {
    return this.#now() - sale.verifiedAt > this.#config.maxStaleMs;
  }

  #stale(sale: HeldSale): Reading {
    const reading = this.#reading(sale);
    if (this.#now() - sale.verifiedAt <= this.#config.maxAgeMs) return reading;
    throw unavailable("The sale's figures can't be read at the moment.");
  }

  #reading(sale: HeldSale): Reading {
    const now = this.#now();
    sale.lastReadAt = now;
    const ageSeconds = this.#isStale(sale) ? Math.floor((now - sale.verifiedAt) / 1000) : undefined;
    return { representation: sale.representation, ageSeconds };
  }
}

/** Whether what is shown was made of what the bus told. */
function restsOnEvents({ advancesUntil }: HeldSale): boolean {
  return advancesUntil !== Infinity;
}

/** Whether a state is the one that somebody has had, or a later one. Another generation may be either. */
function goesOnFrom({ generation, revision }: Representation, had: HadRevision): boolean {
  return generation === had.generation && revision >= had.revision;
}

/** Whether both are of one generation, and the first one of an earlier revision. */
function isOlderThan(one: HadRevision, other: HadRevision): boolean {
  return one.generation === other.generation && one.revision < other.revision;
}

function markCurrent(sale: HeldSale, at: number): void {
  sale.verifiedAt = Math.max(sale.verifiedAt, at);
  sale.failedAt = -Infinity;
}
