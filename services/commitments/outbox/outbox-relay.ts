import { setTimeout as delay } from "node:timers/promises";
import { OUTBOX_SIGNAL } from "../../../common/internal-api/commitment-subjects.ts";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { RELAY_LEASE_MS, STORE_CHECK_INTERVAL_MS } from "../base/domain/lifetimes.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { AnsweringBus } from "./answering-bus.ts";
import { DirectPublisher } from "./direct-publisher.ts";
import { writeStoreId } from "./lease-rows.ts";
import { ALL_PARTITIONS, partitionOf, signalledPartition, signalPayload } from "./partitions.ts";
import { publishUpdates } from "./publish-updates.ts";
import { RelayLeases } from "./relay-leases.ts";
import { markPublished, readUnpublished, replayOutbox, type UnpublishedUpdate } from "./unpublished-updates.ts";

/** Rows in one read. */
const BATCH = 500;

export interface OutboxRelayDependencies {
  readonly database: CommitmentsDatabase;
  readonly bus: Bus;
  readonly logger: Logger;
  /** The time between two reads of the outbox that nothing asks for, in milliseconds; longer while it finds nothing, see `#pauseMs`. */
  readonly pollMs: number;
  /** The duration of a lease without renewal, in milliseconds. 6 s by default. */
  readonly leaseMs?: number;
  /** Called with the number of revisions that each batch has published. */
  readonly onPublished?: (revisions: number) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Publishes the outbox: each revision at least once, those of a sale in order, and sales in parallel. The processes on a database
 * share its partitions, by a lease for each. If one dies or hangs, others take over when its leases have ended, and publish
 * again, with the same IDs, what was published but not marked.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayDependencies;
  readonly #leases: RelayLeases;
  readonly #direct: DirectPublisher;
  readonly #store: AnsweringBus;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #unlisten: () => void = () => {};
  /** Ends the wait for the next read; undefined while there is none. */
  #endWait: (() => void) | undefined;
  #isWoken = false;
  /** The next wait for something to do: doubled each time that there was nothing, up to the next renewal of the leases. */
  #pauseMs = 0;
  /** The last sale of a batch that was full: the next batch begins after it, so that no sale is passed over. */
  #after: string | undefined;
  #storeCheckedAt = -Infinity;
  /** Whether everything is still to be published again, after a loss of the bus: the database may fail meanwhile. */
  #mustReplay = false;
  /** The bus's store at that time. */
  #storeId: string | undefined;
  #failing = false;
  /** The number of partitions that was logged last. */
  #loggedPartitions = 0;

  constructor(options: OutboxRelayDependencies) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#store = new AnsweringBus({ bus: options.bus, now: this.#now });
    this.#leases = new RelayLeases({
      database: options.database,
      leaseMs: options.leaseMs ?? RELAY_LEASE_MS,
      now: this.#now,
      onJoined: () => this.#startAfresh(),
      prepareStore: async () => void (await this.#store.storeId()),
      drain: (partitions) => this.#drain(partitions),
    });
    this.#direct = new DirectPublisher({
      bus: this.#store,
      mayPublish: (saleUuid) => this.#mayPublish(saleUuid) && !this.#stopping.signal.aborted,
      onRemaining: () => this.#wakeUp(),
      onPublished: (revisions) => options.onPublished?.(revisions),
    });
  }

  /** Begins to publish, unless it was stopped before, as where a database answers only while the process stops. */
  start(): void {
    if (this.#stopping.signal.aborted) return;
    this.#unlisten = this.#options.bus.listen(OUTBOX_SIGNAL, {
      event: ({ payload }) => {
        const partition = signalledPartition(payload);
        // A process that has stopped says so.
        if (partition === undefined) this.#leases.lookAgain();
        if (partition === undefined || this.#leases.isHeld(partition)) this.#wakeUp();
      },
      gap: () => this.#wakeUp(),
    });
    this.#running = this.#run();
  }

  /** The number of partitions that this process publishes. */
  get partitions(): number {
    return this.#leases.held.size;
  }

  /** Publishes an update that this process has committed: directly if possible, else from the outbox. */
  publish(update: UnpublishedUpdate): void {
    if (this.#direct.offer(update)) return;
    const isHeld = this.#mayPublish(update.saleUuid);
    // Leases that have lapsed between two rare polls may be nobody's, so that nobody would hear the signal.
    if (isHeld || this.#leases.haveLapsed) this.#wakeUp();
    if (!isHeld) this.#signal(partitionOf(update.saleUuid));
  }

  /** Has the outbox read at once, by all processes. */
  wake(): void {
    this.#wakeUp();
    this.#signal();
  }

  /** Stops after the present batch. Others take over at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unlisten();
    this.#wakeUp();
    await this.#running;
    await this.#direct.idle();
    // If that fails, these updates are published again.
    await this.#markDirect().catch(() => {});
    await this.#leases.release();
    this.#signal();
  }

  /**
   * Publishes a batch of the partitions that this process holds.
   *
   * @returns whether there may be more.
   * @throws what the database or the bus throws; published updates are marked nevertheless.
   */
  async publishBatch(): Promise<boolean> {
    const { database } = this.#options;
    const hasPart = await this.#takeLeases();
    this.#logPartitions();
    if (!hasPart) return false;
    // Marked before the store is checked: if it was lost, they are unmarked again.
    await this.#markDirect();
    if (!(await this.#checkStore())) return false;
    const partitions = [...this.#leases.held.keys()];
    if (partitions.length === 0) return false;
    const updates = await readUnpublished(database, BATCH, partitions, this.#after);
    if (updates.length > 0) this.#pauseMs = 0;
    const isFull = updates.length === BATCH;
    const hadStartedLate = this.#after !== undefined;
    this.#after = isFull ? updates.at(-1)?.saleUuid : undefined;
    const remaining = this.#direct.remainingOf(updates);
    const { runs, failure } = await publishUpdates(this.#store, remaining, (saleUuid) => this.#mayPublish(saleUuid));
    await markPublished(database, runs);
    for (const { saleUuid, generation, last } of runs) this.#direct.note(saleUuid, { generation, revision: last });
    this.#options.onPublished?.(runs.reduce((sum, { first, last }) => sum + Number(last - first) + 1, 0));
    if (failure !== undefined) throw failure;
    return isFull || hadStartedLate;
  }

  /** A process without the bus, or with a server of it that answers nothing, leaves the outbox to others. */
  async #takeLeases(): Promise<boolean> {
    const isConnected = this.#options.bus.isConnected();
    if (isConnected && !this.#store.isSilent) return this.#leases.take();
    await this.#leases.release();
    if (!isConnected) this.#store.noteDisconnected();
    return isConnected && (await this.#store.answersAgain()) && this.#leases.take();
  }

  #mayPublish(saleUuid: string): boolean {
    return this.#leases.isHeld(partitionOf(saleUuid));
  }

  #signal(partition?: number): void {
    this.#options.bus.signal(OUTBOX_SIGNAL, signalPayload(partition));
  }

  /** Forgets what this process knows of the bus, which others may have used meanwhile. */
  #startAfresh(): void {
    this.#direct.forget();
    this.#storeCheckedAt = -Infinity;
  }

  async #drain(partitions: readonly number[]): Promise<void> {
    await this.#direct.idle((saleUuid) => partitions.includes(partitionOf(saleUuid)));
    await this.#markDirect();
  }

  async #markDirect(): Promise<void> {
    const runs = this.#direct.takeRuns();
    try {
      await markPublished(this.#options.database, runs);
    } catch (error) {
      this.#direct.restoreRuns(runs);
      throw error;
    }
  }

  #logPartitions(): void {
    const { partitions } = this;
    if (partitions === this.#loggedPartitions) return;
    this.#options.logger.info({ partitions }, "this process publishes another part of the outbox than before");
    this.#loggedPartitions = partitions;
  }

  /**
   * Checks which store the bus has. If it is another one than that of a partition, the partition's events of the lost store
   * are published again.
   *
   * @returns false if there is no store
   */
  async #checkStore(): Promise<boolean> {
    const { database, bus, logger } = this.#options;
    const isKnown = [...this.#leases.held.values()].every((storeId) => storeId === this.#storeId);
    if (isKnown && this.#now() - this.#storeCheckedAt < STORE_CHECK_INTERVAL_MS) return true;
    const present = await this.#store.findStore();
    this.#mustReplay ||= bus.takeLoss();
    if (this.#mustReplay) await this.#replayAll();
    this.#mustReplay = false;
    if (present === undefined) {
      this.#direct.forget();
      await this.#leases.endSharing();
      return false;
    }
    const others = [...this.#leases.held].filter(([, storeId]) => storeId !== present);
    if (others.length > 0) {
      this.#direct.forget();
      const published = others.filter(([, storeId]) => storeId !== undefined).map(([partition]) => partition);
      await this.#replayKept(published);
      await writeStoreId(
        database,
        others.map(([partition]) => partition),
        present,
      );
      this.#leases.noteStore(present);
      logger.info({ storeId: present }, "the bus has another store than before");
    }
    this.#storeId = present;
    this.#storeCheckedAt = this.#now();
    return true;
  }

  /** Has everything published again that the store should have: by all processes, as all had published to it. */
  async #replayAll(): Promise<void> {
    this.#direct.forget();
    await this.#replayKept(ALL_PARTITIONS);
    this.#signal();
  }

  async #replayKept(partitions: readonly number[]): Promise<void> {
    const { database, bus } = this.#options;
    if (partitions.length === 0 || bus.maxAgeMillis === 0n) return;
    await replayOutbox(database, (await database.nowMillis()) - bus.maxAgeMillis, partitions);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      const more = await this.#tryBatch();
      if (!more && !this.#isWoken) await this.#waitForMore();
    }
  }

  async #tryBatch(): Promise<boolean> {
    try {
      const more = await this.publishBatch();
      if (this.#failing) this.#options.logger.info("the outbox can be published again");
      this.#failing = false;
      return more;
    } catch (error) {
      if (!this.#failing) this.#options.logger.warn({ err: error }, "the outbox can't be published; it waits");
      this.#failing = true;
      this.#storeCheckedAt = -Infinity;
      // Commits meanwhile don't wake it: it isn't tried more often than this.
      await delay(this.#options.pollMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      return true;
    }
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#pauseMs = 0;
    this.#endWait?.();
  }

  async #waitForMore(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { pollMs } = this.#options;
    // Rounded up, as a timer that ends a moment before the renewal would be one more poll.
    const longestMs = Math.max(pollMs, Math.ceil(this.#leases.untilRenewalMs) + 1);
    this.#pauseMs = Math.min(Math.max(pollMs, 2 * this.#pauseMs), longestMs);
    const timer = setTimeout(resolve, this.#pauseMs);
    this.#endWait = resolve;
    await promise;
    clearTimeout(timer);
    this.#endWait = undefined;
  }
}
