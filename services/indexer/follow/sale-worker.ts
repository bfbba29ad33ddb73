import { backoffMs } from "../../../common/platform/concurrency/backoff.ts";
import { InterruptibleWait } from "../../../common/platform/concurrency/interruptible-wait.ts";
import { untilSharedMoment } from "../../../common/platform/concurrency/shared-moments.ts";
import { FINAL_READ_INTERVAL_MS, FIRST_FINAL_BACKOFF_MS, LONGEST_READ_BACKOFF_MS } from "../base/lifetimes.ts";
import { type SourceSale, sourceNameOf, sourceSaleOf } from "../sending/source-sale.ts";
import { LeasedSale, type LeasedSaleOptions } from "./leased-sale.ts";
import { ProblemLog } from "./problem-log.ts";
import { readDelayMs } from "./read-delay.ts";
import type { HeldLease, SaleLeases } from "./sale-leases.ts";

const MAX_RETRIES_AT_ONCE = 3;

export interface SaleWorkerOptions extends LeasedSaleOptions {
  readonly leases: SaleLeases;
  readonly leaseMs: number;
}

/**
 * Keeps one sale up to date with its contract while this process holds the sale's lease, and else tries to get it. A sale that is final
 * is only read once an hour, and nobody holds its lease in between.
 */
export class SaleWorker {
  readonly #options: SaleWorkerOptions;
  readonly #uuid: string;
  readonly #problems: ProblemLog;
  readonly #stopping = new AbortController();
  /** The wait after a read, ended early by a new head or a changed definition. */
  readonly #pollWait = new InterruptibleWait();
  /** The wait after a failure, ended early only by a changed definition: nodes may have asked for it. */
  readonly #retryWait = new InterruptibleWait();
  readonly #done: Promise<void>;
  /** Whether the definition has changed, so that the sale must be fetched before the next read. */
  #mustFetch = false;
  #definitionVersion: bigint;
  /** Whether the sale is final, and no sweep of it is requested. */
  #rests: boolean;
  /** Tries in a row in which nobody has read the sale while it rests. */
  #restsUnread = 0;
  /** The name of the source that this worker reads; another one needs another worker. */
  readonly #source: string;

  constructor(options: SaleWorkerOptions, sale: SourceSale) {
    this.#options = options;
    this.#uuid = sale.uuid;
    this.#problems = new ProblemLog(options.logger, sale.uuid);
    this.#definitionVersion = sale.definitionVersion;
    this.#rests = restsOf(sale);
    const unsubscribe = options.chain.onHead(() => this.#pollWait.end());
    this.#source = sourceNameOf(sale);
    this.#done = this.#run().finally(unsubscribe);
  }

  /** Handles the sale in the latest list of sales. */
  listed(sale: SourceSale): void {
    const { definitionVersion, final } = sale;
    this.#options.metrics.headLag.setFinal(this.#uuid, final);
    const rested = this.#rests;
    this.#rests = restsOf(sale);
    if (rested && !this.#rests) this.#retryWait.end();
    if (definitionVersion === this.#definitionVersion) return;
    this.#definitionVersion = definitionVersion;
    this.#mustFetch = true;
    this.#pollWait.end();
    this.#retryWait.end();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { leaseMs, leases } = this.#options;
    // Thousands of sales may be final: a process that starts doesn't read them all at once.
    if (this.#rests) await this.#retryWait.wait(Math.random() * FINAL_READ_INTERVAL_MS, signal);
    while (!signal.aborted) {
      this.#restsUnread += 1;
      const lease = await leases.acquire(this.#uuid, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#problems.add(error, "lease was not acquired");
        return "failed" as const;
      });
      if (lease === undefined) this.#restsUnread = 0;
      else if (lease !== "failed") {
        await this.#readUnder(lease, AbortSignal.any([signal, lease.lost]));
        await lease.release();
      }
      await this.#retryWait.wait(this.#rests ? this.#restMs() : untilSharedMoment(leaseMs / 3), signal);
    }
  }

  /** Returns the time until a sale that rests is read again: an hour once it was read, sooner after a failure. */
  #restMs(): number {
    const backoff = { firstMs: FIRST_FINAL_BACKOFF_MS, longestMs: FINAL_READ_INTERVAL_MS };
    return this.#restsUnread === 0 ? FINAL_READ_INTERVAL_MS : backoffMs(this.#restsUnread, backoff);
  }

  /** Reads until the lease is lost, or the store has changed in a way that this process doesn't know. */
  async #readUnder(lease: HeldLease, signal: AbortSignal): Promise<void> {
    const { logger, metrics } = this.#options;
    logger.info({ sale: this.#uuid, epoch: lease.epoch.toString() }, "reading the sale");
    try {
      const sale = await this.#fetch(signal);
      if (sale === undefined) return;
      metrics.headLag.upToDate(this.#uuid, sale.chain);
      await this.#follow(sale, new LeasedSale(this.#options, sale, lease.epoch, this.#problems, signal), signal);
    } catch (error) {
      if (!signal.aborted) this.#problems.add(error, "reading was interrupted");
    } finally {
      metrics.headLag.forget(this.#uuid);
    }
  }

  /** Reads again and again, until the sale no longer has this source, or rests. */
  async #follow(fetched: SourceSale, leased: LeasedSale, signal: AbortSignal): Promise<void> {
    let failures = 0;
    for (let sale: SourceSale | undefined = fetched; sale !== undefined && !signal.aborted; ) {
      const after: SourceSale | undefined = await leased.read(sale);
      if (this.#rests) {
        if (after !== undefined) this.#restsUnread = 0;
        // The lease ends now, and the next read is in an hour.
        await leased.reported();
        return;
      }
      failures = after === undefined ? failures + 1 : 0;
      sale = after ?? sale;
      const next = failures > 0 || sale.settled ? this.#retryWait : this.#pollWait;
      await next.wait(this.#delayMs(sale, failures, leased.retryAfterMs), signal);
      if (failures > 0 || this.#mustFetch) sale = await this.#fetch(signal);
    }
  }

  async #fetch(signal: AbortSignal): Promise<SourceSale | undefined> {
    this.#mustFetch = false;
    const { sale } = await this.#options.client.sales.getSale({ saleUuid: this.#uuid }, { signal });
    const fetched = sale && sourceSaleOf(sale);
    return fetched !== undefined && sourceNameOf(fetched) === this.#source ? fetched : undefined;
  }

  #delayMs({ settled }: SourceSale, failures: number, retryAfterMs: number | undefined): number {
    const { chain } = this.#options;
    if (failures === 0) return readDelayMs(chain, settled);
    if (retryAfterMs === 0 && failures <= MAX_RETRIES_AT_ONCE) return 0;
    const backoff = { firstMs: 2 * chain.pollIntervalMs, longestMs: LONGEST_READ_BACKOFF_MS };
    return Math.max(backoffMs(failures, backoff), retryAfterMs ?? 0);
  }
}

function restsOf({ final, sweepPending }: SourceSale): boolean {
  return final && !sweepPending;
}
