import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "../../shared/bus/bus.ts";
import { OUTBOX_SIGNAL } from "../../shared/bus/commitment-subjects.ts";
import type { Logger } from "../../shared/log/log.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import { DirectPublisher } from "./direct-publisher.ts";
import { publishUpdates } from "./publish-updates.ts";
import { readStoreId, writeStoreId } from "./relay-lease.ts";
import { RelayLeaseHolder } from "./relay-lease-holder.ts";
import { markPublished, readUnpublished, replayOutbox, type UnpublishedUpdate } from "./unpublished-updates.ts";

/** Rows in one read. */
const BATCH = 500;
const LEASE_MS = 3_000;
/** The time between two checks whether the bus has lost its store. */
const STORE_CHECK_MS = 1_000;

export interface OutboxRelayDependencies {
  readonly database: CommitmentsDatabase;
  readonly bus: Bus;
  readonly logger: Logger;
  /** The longest time between two reads of the outbox, in milliseconds. */
  readonly pollMs: number;
  /** Called with the number of revisions that each batch has published. */
  readonly onPublished?: (revisions: number) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Publishes the outbox: each revision at least once, those of a sale in order. One of the processes on a database does so,
 * the holder of a lease. If it dies or hangs, another one takes over when the lease has ended, and publishes again, with
 * the same IDs, what was published but not marked.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayDependencies;
  readonly #lease: RelayLeaseHolder;
  readonly #direct: DirectPublisher;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #unlisten: () => void = () => {};
  /** Ends the wait for the next read; undefined while there is none. */
  #endWait: (() => void) | undefined;
  #isWoken = false;
  /** The last sale of a batch that was full: the next batch begins after it, so that no sale is passed over. */
  #after: string | undefined;
  #storeCheckedAt = -Infinity;
  #failing = false;
  #wasHolder = false;

  constructor(options: OutboxRelayDependencies) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#lease = new RelayLeaseHolder({ database: options.database, leaseMs: LEASE_MS, now: this.#now });
    this.#direct = new DirectPublisher({
      bus: options.bus,
      mayPublish: () => this.#lease.isHeld() && !this.#stopping.signal.aborted,
      onRemaining: () => this.#wakeUp(),
      onPublished: (revisions) => options.onPublished?.(revisions),
    });
  }

  start(): void {
    this.#unlisten = this.#options.bus.listen(OUTBOX_SIGNAL, {
      event: () => {
        if (this.#lease.isHeld()) this.#wakeUp();
      },
      gap: () => this.#wakeUp(),
    });
    this.#running = this.#run();
  }

  /** Publishes an update that this process has committed: directly if possible, else from the outbox. */
  publish(update: UnpublishedUpdate): void {
    if (!this.#direct.offer(update)) this.wake();
  }

  /** Reads the outbox at once, or signals that to the process that holds the lease. */
  wake(): void {
    if (this.#lease.isHeld()) this.#wakeUp();
    else this.#options.bus.signal(OUTBOX_SIGNAL);
  }

  /** Stops after the present batch. Another process takes over when it next tries to. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unlisten();
    this.#wakeUp();
    await this.#running;
    await this.#direct.idle();
    // If that fails, these updates are published again.
    await this.#markDirect().catch(() => {});
    await this.#lease.release();
  }

  /**
   * Publishes a batch if this process holds the lease.
   *
   * @returns whether there may be more.
   * @throws what the database or the bus throws; published updates are marked nevertheless.
   */
  async publishBatch(): Promise<boolean> {
    const { database, bus } = this.#options;
    const isHolder = await this.#lease.take();
    this.#noteHolder(isHolder);
    if (!isHolder) return false;
    // Marked before the store is checked: if it was lost, they are unmarked again.
    await this.#markDirect();
    await this.#checkStore();
    const updates = await readUnpublished(database, BATCH, this.#after);
    const isFull = updates.length === BATCH;
    const hadStartedLate = this.#after !== undefined;
    this.#after = isFull ? updates.at(-1)?.saleUuid : undefined;
    const { runs, failure } = await publishUpdates(bus, this.#direct.remainingOf(updates), () => this.#lease.isHeld());
    await markPublished(database, runs);
    for (const { saleUuid, generation, last } of runs) this.#direct.note(saleUuid, { generation, revision: last });
    this.#options.onPublished?.(runs.reduce((sum, { first, last }) => sum + Number(last - first) + 1, 0));
    if (failure !== undefined) throw failure;
    return isFull || hadStartedLate;
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

  #noteHolder(isHolder: boolean): void {
    if (isHolder && !this.#wasHolder) this.#options.logger.info("this process publishes the outbox");
    if (!isHolder && this.#wasHolder) this.#options.logger.info("another process publishes the outbox");
    this.#wasHolder = isHolder;
  }

  /** Checks which store the bus has. If it is another one, the events of the lost store are published again. */
  async #checkStore(): Promise<void> {
    const { database, bus, logger } = this.#options;
    if (this.#now() - this.#storeCheckedAt < STORE_CHECK_MS) return;
    const present = await bus.storeId(() => this.#direct.forget());
    const known = await readStoreId(database);
    if (known !== present) {
      this.#direct.forget();
      if (known !== undefined) await this.#replayKept(bus.maxAgeMillis);
      await writeStoreId(database, present);
      logger.info({ storeId: present }, "the bus has another store than before");
    }
    this.#storeCheckedAt = this.#now();
  }

  async #replayKept(maxAgeMillis: bigint): Promise<void> {
    const { database } = this.#options;
    if (maxAgeMillis > 0n) await replayOutbox(database, (await database.nowMillis()) - maxAgeMillis);
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
    this.#endWait?.();
  }

  async #waitForMore(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.pollMs);
    this.#endWait = resolve;
    await promise;
    clearTimeout(timer);
    this.#endWait = undefined;
  }
}
