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

/** Rows read at once. */
const BATCH = 500;
const LEASE_MS = 3_000;
/** How often a store that was emptied is looked for. */
const STORE_CHECK_MS = 1_000;

export interface OutboxRelayDependencies {
  readonly database: CommitmentsDatabase;
  readonly bus: Bus;
  readonly logger: Logger;
  /** How often the outbox is looked into without being told to, in milliseconds. */
  readonly pollMs: number;
  /** Told how many revisions each batch has told the bus of. */
  readonly onPublished?: (revisions: number) => void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Publishes the outbox: each revision at least once, those of a sale in order. Of all the processes on one database one
 * does so, the holder of a lease; where it dies or hangs, another one takes over when the lease has ended. What was
 * published but not yet marked is published again then, with the same ID.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayDependencies;
  readonly #hold: RelayLeaseHolder;
  readonly #fresh: DirectPublisher;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #unlisten: () => void = () => {};
  /** Ends the wait for the next look; undefined while none is waited for. */
  #endWait: (() => void) | undefined;
  #isWoken = false;
  /** The last sale of a batch that was full: the next one goes on behind it, so that every sale has its turn. */
  #after: string | undefined;
  #storeCheckedAt = -Infinity;
  #failing = false;
  #wasHolder = false;

  constructor(options: OutboxRelayDependencies) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#hold = new RelayLeaseHolder({ database: options.database, leaseMs: LEASE_MS, now: this.#now });
    this.#fresh = new DirectPublisher({
      bus: options.bus,
      mayPublish: () => this.#hold.isHeld() && !this.#stopping.signal.aborted,
      onLeft: () => this.#wakeUp(),
      onPublished: (revisions) => options.onPublished?.(revisions),
    });
  }

  start(): void {
    this.#unlisten = this.#options.bus.listen(OUTBOX_SIGNAL, {
      event: () => {
        if (this.#hold.isHeld()) this.#wakeUp();
      },
      gap: () => this.#wakeUp(),
    });
    this.#running = this.#run();
  }

  /** This process has committed an update: it is published at once where it can be, and the outbox is looked into else. */
  tell(update: UnpublishedUpdate): void {
    if (!this.#fresh.offer(update)) this.wake();
  }

  /** There is something in the outbox: looks at once, or tells the process that holds the lease. */
  wake(): void {
    if (this.#hold.isHeld()) this.#wakeUp();
    else this.#options.bus.signal(OUTBOX_SIGNAL);
  }

  /** After the batch under way. Another process takes over at its next look. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unlisten();
    this.#wakeUp();
    await this.#running;
    await this.#fresh.idle();
    // Where that fails, what is published will be published again.
    await this.#markFresh().catch(() => {});
    await this.#hold.release();
  }

  /**
   * Publishes a batch, where this process is the one to do so.
   *
   * @returns whether there may be more.
   * @throws what the database or the bus throws; what was published is marked nevertheless.
   */
  async publishBatch(): Promise<boolean> {
    const { database, bus } = this.#options;
    const isHolder = await this.#hold.take();
    this.#noteHolder(isHolder);
    if (!isHolder) return false;
    // Before the store is looked at: of one that is gone the marks are taken off again.
    await this.#markFresh();
    await this.#checkStore();
    const updates = await readUnpublished(database, BATCH, this.#after);
    const isFull = updates.length === BATCH;
    const hadStartedLate = this.#after !== undefined;
    this.#after = isFull ? updates.at(-1)?.saleUuid : undefined;
    const { runs, failure } = await publishUpdates(bus, this.#fresh.leftOf(updates), () => this.#hold.isHeld());
    await markPublished(database, runs);
    for (const { saleUuid, generation, last } of runs) this.#fresh.note(saleUuid, { generation, revision: last });
    this.#options.onPublished?.(runs.reduce((sum, { first, last }) => sum + Number(last - first) + 1, 0));
    if (failure !== undefined) throw failure;
    return isFull || hadStartedLate;
  }

  async #markFresh(): Promise<void> {
    const runs = this.#fresh.takeRuns();
    try {
      await markPublished(this.#options.database, runs);
    } catch (error) {
      this.#fresh.giveBack(runs);
      throw error;
    }
  }

  #noteHolder(isHolder: boolean): void {
    if (isHolder && !this.#wasHolder) this.#options.logger.info("publishes the outbox");
    if (!isHolder && this.#wasHolder) this.#options.logger.info("another process publishes the outbox");
    this.#wasHolder = isHolder;
  }

  /** What a store that is gone had kept is published again. */
  async #checkStore(): Promise<void> {
    const { database, bus, logger } = this.#options;
    if (this.#now() - this.#storeCheckedAt < STORE_CHECK_MS) return;
    const present = await bus.storeId(() => this.#fresh.forget());
    const known = await readStoreId(database);
    if (known !== present) {
      this.#fresh.forget();
      if (known !== undefined) await this.#replayKept(bus.maxAgeMillis);
      await writeStoreId(database, present);
      logger.info({ storeId: present }, "events go to another store than before");
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
      if (this.#failing) this.#options.logger.info("the outbox is published again");
      this.#failing = false;
      return more;
    } catch (error) {
      if (!this.#failing) this.#options.logger.warn({ err: error }, "the outbox can't be published; it waits");
      this.#failing = true;
      this.#storeCheckedAt = -Infinity;
      // However much is committed meanwhile: it isn't tried more often for that.
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
