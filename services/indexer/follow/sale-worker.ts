import { Code, ConnectError } from "@connectrpc/connect";
import { backoffMs } from "../../shared/concurrency/backoff.ts";
import { InterruptibleWait } from "../../shared/concurrency/interruptible-wait.ts";
import type { Semaphore } from "../../shared/concurrency/semaphore.ts";
import type { Logger } from "../../shared/log/log.ts";
import type { CommitmentsClient } from "../apply/commitments-client.ts";
import { publish } from "../apply/publisher.ts";
import { refusalWords } from "../apply/rejection-message.ts";
import { storedSale } from "../apply/stored-sale.ts";
import {
  type ChainConnection,
  type Reading,
  SourceFault,
  type SourceReader,
  type SourceStage,
} from "../source/source-reader.ts";
import { type SourceSale, sourceSaleOf } from "../source/source-sale.ts";
import type { IndexerMetrics } from "./indexer-metrics.ts";
import { acquireLease, type HeldLease } from "./sale-lease.ts";
import { SourceReports } from "./source-reports.ts";

const LONGEST_BACKOFF_MS = 30_000;
/** A settled sale changes only if its chain is re-organised. */
const SETTLED_POLL_FACTOR = 10;

/** The stored position follows the chain at least this often, also where nothing changes. */
const POSITION_INTERVAL_MS = 5_000;
/** How often the progress of a reading is looked at, also where its rows are as they are stored. */
const PROGRESS_INTERVAL_MS = 500;

export interface SaleWorkerOptions {
  readonly client: CommitmentsClient;
  readonly chain: ChainConnection;
  /** Bounds how many sales of the chain are read at once. */
  readonly semaphore: Semaphore;
  readonly holder: string;
  readonly leaseMs: number;
  /** Rows in one apply, at most. */
  readonly maxRows: number;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
}

/** Keeps one sale in step with its contract for as long as this process holds the sale's lease; else waits for it. */
export class SaleWorker {
  readonly #options: SaleWorkerOptions;
  readonly #uuid: string;
  readonly #stopping = new AbortController();
  /** Ended by a new head, or another definition. */
  readonly #untilNews = new InterruptibleWait();
  /** Ended by another definition alone: a head is no reason to hurry where a node asked to wait. */
  readonly #untilMended = new InterruptibleWait();
  readonly #done: Promise<void>;
  /** Raised when the definition may have changed: the sale is fetched anew before the next reading. */
  #stale = false;
  #definitionVersion: bigint;
  /** When something was last applied, by the monotonic clock. */
  #appliedAt = -Infinity;
  #stage: SourceStage | undefined;
  /** What was last logged to be wrong; empty after a reading. */
  #trouble = "";

  constructor(options: SaleWorkerOptions, sale: SourceSale) {
    this.#options = options;
    this.#uuid = sale.uuid;
    this.#definitionVersion = sale.definitionVersion;
    const forget = options.chain.onHead(() => this.#untilNews.end());
    this.#done = this.#run().finally(forget);
  }

  /** What the list of sales says of it now. */
  noteDefinition(version: bigint): void {
    if (version === this.#definitionVersion) return;
    this.#definitionVersion = version;
    this.#stale = true;
    this.#untilNews.end();
    this.#untilMended.end();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { leaseMs, client, holder } = this.#options;
    while (!signal.aborted) {
      const wanted = { client, saleUuid: this.#uuid, holder, durationMs: leaseMs };
      const lease = await acquireLease(wanted, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#logTrouble(error, "lease was not acquired");
        return undefined;
      });
      if (lease !== undefined) await this.#readUnder(lease, AbortSignal.any([signal, lease.lost]));
      await lease?.release();
      await this.#untilMended.wait(leaseMs / 3, signal);
    }
  }

  /** Reads until the lease is lost, or what is stored is no longer what this process thinks. */
  async #readUnder(lease: HeldLease, signal: AbortSignal): Promise<void> {
    const { logger, chain, client, metrics } = this.#options;
    logger.info({ sale: this.#uuid, epoch: lease.epoch.toString() }, "reading the sale");
    this.#stage = undefined;
    let failures = 0;
    try {
      let sale = await this.#fetch(signal);
      if (sale === undefined) return;
      metrics.headLag.upToDate(this.#uuid, sale.chain);
      const reports = new SourceReports(client, sale, lease.epoch, signal);
      const reader = chain.createReader({ saleUuid: sale.uuid, address: sale.address });
      while (sale !== undefined && !signal.aborted) {
        const step: SourceSale | "failed" = await this.#step(sale, reader, lease, reports, signal);
        failures = step === "failed" ? failures + 1 : 0;
        if (step !== "failed") sale = step;
        const pause = failures > 0 || sale.settled ? this.#untilMended : this.#untilNews;
        await pause.wait(this.#delayMs(sale, failures, reports), signal);
        // After the wait, which a new definition ends: the next reading goes by it.
        if (step === "failed" || this.#stale) sale = await this.#fetch(signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#logTrouble(error, "reading was broken off");
    } finally {
      metrics.headLag.forget(this.#uuid);
    }
  }

  /** @returns the sale as it is afterwards, or `failed`. */
  async #step(
    sale: SourceSale,
    reader: SourceReader,
    lease: HeldLease,
    reports: SourceReports,
    signal: AbortSignal,
  ): Promise<SourceSale | "failed"> {
    let isHandedOut = false;
    try {
      if (reports.sweepIsWanted()) reader.doubt("a sweep was asked for");
      reports.nodes(nodesWarning(this.#options.chain));
      const stored = storedSale(this.#options.client, sale, signal);
      const after = await this.#options.semaphore.run(async () => {
        const reading = await reader.next(stored, signal);
        isHandedOut = reading !== undefined;
        reports.looked(reader.headHeight());
        return reading === undefined ? sale : this.#publish(sale, reader, reading, lease, reports, signal);
      }, signal);
      this.#trouble = "";
      this.#options.metrics.headLag.upToDate(this.#uuid, sale.chain);
      await reports.healthy();
      return after;
    } catch (error) {
      // What it threw itself, a reader knows; what became of a reading that it handed out, it doesn't.
      if (isHandedOut) reader.doubt("the last reading wasn't applied");
      if (signal.aborted) throw error;
      if (ConnectError.from(error).code === Code.Aborted) throw error;
      await this.#reportFailure(error, reports);
      return "failed";
    }
  }

  async #publish(
    sale: SourceSale,
    reader: SourceReader,
    reading: Reading,
    lease: HeldLease,
    reports: SourceReports,
    signal: AbortSignal,
  ): Promise<SourceSale> {
    const { client, maxRows, metrics, logger } = this.#options;
    const { uuid: saleUuid, revision, changeSetOpen } = sale;
    const movePosition = reading.kind === "sweep" || performance.now() - this.#appliedAt >= POSITION_INTERVAL_MS;
    const stage = this.#stage === undefined ? {} : { stage: this.#stage };
    const target = { saleUuid, leaseEpoch: lease.epoch, revision, changeSetOpen, maxRows, movePosition, ...stage };
    const begin = performance.now();
    reports.begin(reading);
    const progress = setInterval(() => reports.progress(reading), PROGRESS_INTERVAL_MS);
    const countRows = (rows: number) => metrics.rows.inc({ chain: sale.chain }, rows);
    const published = await publish(client, target, reading, signal, countRows).finally(() => clearInterval(progress));
    // Else the store stays where it was, and the reader with it: the next reading goes on from there.
    if (published.applied) reader.applied(reading);
    reports.end(reading);
    const millis = Math.round(performance.now() - begin);
    metrics.reads.inc({ chain: sale.chain, kind: reading.kind });
    const { rows } = published;
    if (rows > 0 || reading.kind === "sweep") {
      const height = reading.position.height.toString();
      logger.info({ sale: saleUuid, kind: reading.kind, rows, height, millis }, "sale was read");
    }
    if (!published.applied) return sale;
    this.#appliedAt = begin;
    this.#stage = reading.stage;
    const { position, stage: isAt } = reading;
    const settled = isAt === undefined ? sale.settled : isAt === "done";
    return { ...sale, settled, revision: published.revision, position, hasSnapshot: true, changeSetOpen: false };
  }

  async #reportFailure(error: unknown, reports: SourceReports): Promise<void> {
    const { metrics } = this.#options;
    const isFault = error instanceof SourceFault;
    metrics.faults.inc({ remedy: isFault ? error.remedy : "internal" });
    this.#logTrouble(error, "sale can't be read");
    const message = isFault ? error.message : refusalWords(error);
    await reports.fault(message, isFault ? error.retryAfterMs : undefined);
  }

  /** Once; while the same goes on, for whoever looks closer: hundreds of sales may have it at once, for hours. */
  #logTrouble(error: unknown, words: string): void {
    const trouble = `${words}: ${error instanceof Error ? error.message : ""}`;
    const level = trouble === this.#trouble ? "debug" : "warn";
    this.#trouble = trouble;
    this.#options.logger[level]({ err: error, sale: this.#uuid }, words);
  }

  async #fetch(signal: AbortSignal): Promise<SourceSale | undefined> {
    this.#stale = false;
    const { sale } = await this.#options.client.sales.getSale({ saleUuid: this.#uuid }, { signal });
    return sale && sourceSaleOf(sale);
  }

  #delayMs(sale: SourceSale, failures: number, reports: SourceReports): number {
    const { pollIntervalMs } = this.#options.chain;
    const usual = sale.settled ? pollIntervalMs * SETTLED_POLL_FACTOR : pollIntervalMs;
    if (failures === 0) return usual;
    const backoff = { firstMs: 2 * pollIntervalMs, longestMs: LONGEST_BACKOFF_MS };
    return Math.max(backoffMs(failures, backoff), reports.retryAfterMs ?? 0);
  }
}

function nodesWarning(chain: ChainConnection): string {
  const troubles = chain.nodeHeads().flatMap(({ trouble }) => trouble ?? []);
  return troubles.length === 0 ? "" : `${troubles.join("; ")}: the operator should look after that node`;
}
