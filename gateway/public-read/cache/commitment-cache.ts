import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { SaleRevision } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { FeedFault } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleUpdated } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { PublicError, unavailable } from "../../web/http/public-error.ts";
import type { AgedDocument } from "../../web/http/send-document.ts";
import type { CacheConfig } from "./cache-config.ts";
import { changedBlock } from "./changed-block.ts";
import type { ChangedSince } from "./changed-sales.ts";
import type { CommitmentsUpstream, LoadedSale } from "./commitments-upstream.ts";
import {
  advanced,
  ageSeconds,
  confirmed,
  type Freshness,
  failed,
  failedLately,
  firstLoaded,
  isOnlyByEvent,
  isTrusted,
  isWithinAge,
  loadWaitMs,
  MIN_LOAD_INTERVAL_MS,
  mayLoadAgain,
  reloaded,
  reloadIsDue,
  reloadRequested,
} from "./freshness.ts";
import { NegativeCache } from "./negative-cache.ts";
import { nextBody } from "./next-body.ts";
import { lackBelowFloor } from "./public-body.ts";
import { Representation } from "./representation.ts";
import { type HeldSale, type KnownFeed, noteRead, type RepresentationStore } from "./representation-store.ts";
import { SaleLoads } from "./sale-loads.ts";

/** Longest time for which lists of changed sales confirm a sale before it is asked about itself. */
const LONGEST_BY_LISTS_MS = 10_000;

/** A sale's body to answer a read with; its age is set where it is older than `maxStaleMs`. */
export interface AgedRepresentation extends AgedDocument {
  readonly representation: Representation;
}

export interface CommitmentCacheOptions {
  readonly upstream: CommitmentsUpstream;
  readonly store: RepresentationStore;
  readonly config: CacheConfig;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns a number from 0 up to, but not including, 1; `Math.random` by default. */
  readonly random?: () => number;
}

/** Facts about how current a held sale is. */
export interface FeedObservation extends KnownFeed {
  /** Time at which the body was last known to be current. */
  readonly confirmedAt: number;
  /** Undefined where the commitments service sends none. */
  readonly sale: Representation["sale"];
}

/** An observation with the body that is held, which is never older than the block of its `state`. */
export interface HeldFeed extends FeedObservation {
  readonly representation: Representation;
}

/** A state of a sale that a reader knows. */
export type KnownRevision = Pick<SaleRevision, "generation" | "revision">;

/** The state of a sale that an event names. */
export type EventRevision = Pick<SaleRevision, "saleUuid" | "generation" | "revision">;

/** Called with each new body of a held sale. */
export type ReplacementListener = (saleUuid: string, representation: Representation) => void;

/** The sales' public bodies in memory, each loaded when somebody reads it and kept current by events and revisions. */
export class CommitmentCache {
  readonly #upstream: CommitmentsUpstream;
  readonly #store: RepresentationStore;
  readonly #config: CacheConfig;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #refusals: NegativeCache;
  readonly #loads: SaleLoads;
  /** Sales that have become readable while a load of them was under way. */
  readonly #readableSince = new Set<string>();
  #onReplaced: ReplacementListener = () => {};
  #onRead: () => void = () => {};

  constructor({ upstream, store, config, now, random = Math.random }: CommitmentCacheOptions) {
    this.#upstream = upstream;
    this.#store = store;
    this.#config = config;
    this.#now = now;
    this.#random = random;
    this.#refusals = new NegativeCache(config.negativeSize);
    const load = (saleUuid: string) => this.#load(saleUuid);
    this.#loads = new SaleLoads({ load, refusals: this.#refusals, maxLoads: config.maxLoads, now });
  }

  /** Sets the listener, in place of the one before. */
  onReplaced(listener: ReplacementListener): void {
    this.#onReplaced = listener;
  }

  /** Sets the listener for reads of held sales, each of which is in `recentlyRead` from then on. It takes the place of the one before. */
  onRead(listener: () => void): void {
    this.#onRead = listener;
  }

  /**
   * Returns the body of a sale that is held and not older than `maxStaleMs`. Any text but a held UUID finds nothing.
   */
  fresh(saleUuid: string): Representation | undefined {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return undefined;
    const now = this.#now();
    if (!isWithinAge(sale.freshness, now, this.#config.maxStaleMs)) return undefined;
    this.#noteRead(sale, now);
    return sale.representation;
  }

  /**
   * Returns the body of a sale, loaded where the held one is too old. While loads fail, an older body serves, up to
   * `maxAgeMs`: the first reader waits for the failure, readers after that get the body at once.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: `not_found`, `unavailable`, `deadline_exceeded`, `internal`
   */
  async read(saleUuid: string): Promise<AgedRepresentation> {
    const representation = this.fresh(saleUuid);
    if (representation !== undefined) return { representation, ageSeconds: undefined };
    const held = this.#store.get(saleUuid);
    if (held !== undefined && this.#servesWithoutLoad(held)) {
      this.#retryInBackground(held);
      return this.#stale(held);
    }
    try {
      return this.#aged(await this.#loadForReader(saleUuid));
    } catch (error) {
      const left = this.#store.get(saleUuid);
      if (left === undefined) throw error;
      return this.#stale(left);
    }
  }

  /**
   * Returns the body of a sale for a reader who knows a state of it already. Where the held body is older than that
   * state, or of another generation, the sale is loaded, so that no reader is led back to an older state.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: as `read`, and also where only an older body is held and loads fail
   */
  async readSince(saleUuid: string, known: KnownRevision): Promise<Representation> {
    const { representation } = await this.read(saleUuid);
    if (continues(representation, known)) return representation;
    const held = this.#store.get(saleUuid);
    const waitMs = held === undefined ? 0 : loadWaitMs(held.freshness, this.#now());
    return (await this.#loads.runNext(saleUuid, waitMs)).representation;
  }

  /** Returns how current a held sale is known to be, and what a page about it shows besides. */
  feed(saleUuid: string): HeldFeed | undefined {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return undefined;
    const { feed, freshness, representation } = sale;
    return { ...feed, confirmedAt: freshness.confirmedAt, sale: representation.sale, representation };
  }

  /** Time without an answer after which the commitments service counts as unreachable: that of two lost calls. */
  get unreachableAfterMs(): number {
    return this.#config.maxStaleMs + 2 * this.#config.callTimeoutMs;
  }

  /** Returns the sales that were read within `idleMs`. */
  recentlyRead(): string[] {
    const since = this.#now() - this.#config.idleMs;
    return Array.from(this.#store.values())
      .filter((sale) => sale.lastReadAt >= since)
      .map((sale) => sale.uuid);
  }

  /** Whether a sale that was read within `idleMs` may be behind the state that an event names. */
  isBehind(event: EventRevision): boolean {
    const sale = this.#store.get(event.saleUuid);
    if (sale === undefined || this.#now() - sale.lastReadAt > this.#config.idleMs) return false;
    return sale.representation.generation !== event.generation || sale.representation.revision < event.revision;
  }

  /** Handles an event that shows that a sale can be read: what it was refused for before no longer counts. */
  forgetRefusal(saleUuid: string): void {
    this.#refusals.delete(saleUuid);
    // A load that began before may still bring the old answer.
    if (this.#loads.isRunning(saleUuid)) this.#readableSince.add(saleUuid);
  }

  /**
   * Whether a sale, whose last load didn't fail, is held at an earlier revision of the generation that an event
   * names.
   */
  isOlder(event: EventRevision): boolean {
    const sale = this.#store.get(event.saleUuid);
    if (sale === undefined || sale.freshness.failedAt !== undefined) return false;
    return isOlderThan(sale.representation, event);
  }

  /**
   * Makes the next body from the held one, where the event has all that this takes.
   *
   * @returns whether the sale is at the event's revision now
   * @throws where the event breaks its contract
   */
  advance(event: SaleUpdated): boolean {
    const sale = this.#store.get(event.saleUuid);
    const now = this.#now();
    if (sale === undefined || !isTrusted(sale.freshness, now)) return false;
    const { generation, revision, sale: summary } = sale.representation;
    const isNext = event.generation === generation && event.revision === revision + 1n;
    if (!isNext || !event.readable || event.status !== summary?.status) return false;
    const next = nextBody(sale.representation.body, event);
    if (next === undefined) return false;
    sale.freshness = advanced(sale.freshness, now, this.#random);
    const committedAtMs = event.committedAt && timestampMs(event.committedAt);
    const details = { sale: summary, committedAtMs, changedBlock: changedBlock(event.changedPosition) };
    this.#replace(sale, new Representation(generation, event.revision, next, details));
    return true;
  }

  /**
   * Compares a held sale with the revision that the commitments service has.
   *
   * @param current undefined where the sale can't be read any more
   * @param askedAt when the commitments service was asked
   * @returns whether the sale is to be loaded again
   */
  compare(saleUuid: string, current: SaleRevision | undefined, askedAt: number): boolean {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return false;
    // What is known of the feed of later figures has to come with them.
    const isOfHeld = current !== undefined && continues(sale.representation, current);
    if (isOfHeld) noteFeed(sale, { state: current.feedState, knownAt: askedAt });
    sale.askedAt = Math.max(sale.askedAt, askedAt);
    return this.#compareRevision(sale, current, askedAt);
  }

  /**
   * Whether it is enough for a held sale to know that it hasn't changed since a time. It isn't where how current its figures are changes
   * by itself, where it must be loaded, and now and then for any sale.
   */
  isConfirmedByLists(saleUuid: string, since: number): boolean {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined || !isFeedStatic(sale.feed)) return false;
    const now = this.#now();
    const isLoaded = isTrusted(sale.freshness, now) && !reloadIsDue(sale.freshness, now);
    return isLoaded && sale.freshness.confirmedAt >= since && now - sale.askedAt < LONGEST_BY_LISTS_MS;
  }

  /**
   * Handles what a list of changed sales says about a sale that lists confirm.
   *
   * @returns whether the sale is to be loaded again
   */
  compareListed(saleUuid: string, { since, askedAt, changed }: ChangedSince): boolean {
    const sale = this.#store.get(saleUuid);
    if (sale === undefined) return false;
    if (changed.has(saleUuid)) return this.#compareRevision(sale, changed.get(saleUuid), askedAt);
    if (isOnlyByEvent(sale.freshness) && sale.freshness.replacedAt < askedAt) {
      // The list should name the change: the database may have lost it. The sale itself is asked for next.
      sale.askedAt = -Infinity;
      return false;
    }
    // What is known of the feed of a sale that has changed comes with its figures.
    noteFeed(sale, { ...sale.feed, knownAt: askedAt });
    if (sale.freshness.confirmedAt >= since) sale.freshness = confirmed(sale.freshness, askedAt);
    return false;
  }

  #compareRevision(sale: HeldSale, current: SaleRevision | undefined, askedAt: number): boolean {
    const { generation, revision } = sale.representation;
    const now = this.#now();
    if (current?.generation !== generation || current.revision > revision) return mayLoadAgain(sale.freshness, now);
    // A later body that came after the question was current then, too: it overtook the answer. One that was held
    // before the
    // question means that the database has lost what it had.
    const isCurrent = current.revision === revision || sale.freshness.replacedAt >= askedAt;
    if (isCurrent && isTrusted(sale.freshness, now)) sale.freshness = confirmed(sale.freshness, askedAt);
    if (!reloadIsDue(sale.freshness, now)) return false;
    sale.freshness = reloadRequested(sale.freshness, now);
    return true;
  }

  /**
   * Loads a sale, or joins its load under way.
   *
   * @throws PublicError
   */
  load(saleUuid: string): Promise<HeldSale> {
    return this.#loads.run(saleUuid);
  }

  async #loadForReader(saleUuid: string): Promise<HeldSale> {
    const isJoined = this.#loads.isRunning(saleUuid);
    const sale = await this.#loads.runForReader(saleUuid);
    // A load that began before this reader came may bring a body that has changed since.
    const isStale = !isWithinAge(sale.freshness, this.#now(), this.#config.maxStaleMs);
    return isJoined && isStale ? await this.#loads.runForReader(saleUuid) : sale;
  }

  async #load(saleUuid: string): Promise<HeldSale> {
    const startedAt = this.#now();
    try {
      const held = this.#store.get(saleUuid);
      const isReload = held?.freshness.source.kind === "events";
      const loaded = await this.#upstream.load(saleUuid, held?.representation, isReload);
      return this.#hold(saleUuid, loaded, startedAt);
    } catch (error) {
      if (error instanceof PublicError) this.#refuse(saleUuid, error);
      throw error;
    } finally {
      this.#readableSince.delete(saleUuid);
    }
  }

  #hold(saleUuid: string, { representation, feedState }: LoadedSale, loadedAt: number): HeldSale {
    const now = this.#now();
    this.#refusals.delete(saleUuid);
    const sale = this.#store.get(saleUuid);
    const feed = { state: feedState, knownAt: loadedAt };
    if (sale === undefined) {
      this.#onRead();
      return this.#store.add(saleUuid, representation, {
        freshness: this.#limited(firstLoaded(loadedAt, now), representation),
        feed,
        now,
      });
    }
    noteFeed(sale, feed);
    sale.askedAt = Math.max(sale.askedAt, loadedAt);
    // An event that came during the load may have made a later body than the loaded one.
    if (representation === sale.representation || isOlderThan(representation, sale.representation)) {
      sale.freshness = confirmed(sale.freshness, loadedAt);
      return sale;
    }
    sale.freshness = this.#limited(reloaded(sale.freshness, loadedAt, now), representation);
    this.#replace(sale, representation.after(sale.representation));
    return sale;
  }

  /** A body that lacks a figure is held no longer than one that is built from events. */
  #limited(freshness: Freshness, { body }: Representation): Freshness {
    return lackBelowFloor(body.figures) ? advanced(freshness, this.#now(), this.#random) : freshness;
  }

  #replace(sale: HeldSale, representation: Representation): void {
    this.#store.replace(sale, representation, this.#now());
    this.#onReplaced(sale.uuid, representation);
  }

  #refuse(saleUuid: string, error: PublicError): void {
    const now = this.#now();
    const isGone = error.code === "not_found";
    const sale = this.#store.get(saleUuid);
    if (isGone) this.#store.delete(saleUuid);
    else if (sale !== undefined) sale.freshness = failed(sale.freshness, now);
    if (isGone && this.#readableSince.has(saleUuid)) return;
    this.#refusals.set(saleUuid, error, now + (isGone ? this.#config.negativeTtlMs : MIN_LOAD_INTERVAL_MS));
  }

  /**
   * Whether a load failed so recently that a reader need not wait for another failure. The window is longer than a
   * load that begins within `maxStaleMs` of the failure and hangs, so readers who keep coming don't wait again.
   */
  #servesWithoutLoad({ freshness }: HeldSale): boolean {
    const { maxAgeMs, callTimeoutMs, maxStaleMs } = this.#config;
    const now = this.#now();
    return isWithinAge(freshness, now, maxAgeMs) && failedLately(freshness, now, callTimeoutMs + maxStaleMs);
  }

  #retryInBackground({ uuid, freshness }: HeldSale): void {
    const isDue = !failedLately(freshness, this.#now(), this.#config.maxStaleMs);
    if (!isDue || this.#loads.isRunning(uuid) || this.#loads.isFull) return;
    // The load itself records a failure.
    this.load(uuid).catch(() => {});
  }

  #stale(sale: HeldSale): AgedRepresentation {
    const aged = this.#aged(sale);
    if (isWithinAge(sale.freshness, this.#now(), this.#config.maxAgeMs)) return aged;
    throw unavailable("The sale's figures can't be read at the moment.");
  }

  #aged(sale: HeldSale): AgedRepresentation {
    const now = this.#now();
    this.#noteRead(sale, now);
    const { representation, freshness } = sale;
    return { representation, ageSeconds: ageSeconds(freshness, now, this.#config.maxStaleMs) };
  }

  #noteRead(sale: HeldSale, now: number): void {
    noteRead(sale, now);
    this.#onRead();
  }
}

/** Whether how current a sale's figures are doesn't change by itself: it isn't read from a contract, or it is over. */
function isFeedStatic({ state }: KnownFeed): boolean {
  if (state === undefined) return false;
  return state.final || (state.asOf === undefined && state.fault === FeedFault.UNSPECIFIED);
}

/** Answers may overtake each other. */
function noteFeed(sale: HeldSale, feed: KnownFeed): void {
  if (feed.knownAt >= sale.feed.knownAt) sale.feed = feed;
}

/** Whether a state is a known one, or a later one of its generation. Another generation may be earlier or later. */
function continues({ generation, revision }: Representation, known: KnownRevision): boolean {
  return generation === known.generation && revision >= known.revision;
}

/** Whether both states are of one generation, and the first one is of an earlier revision. */
function isOlderThan(one: KnownRevision, other: KnownRevision): boolean {
  return one.generation === other.generation && one.revision < other.revision;
}
