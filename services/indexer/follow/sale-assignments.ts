import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../shared/log/log.ts";
import type { CommitmentsClient } from "../apply/commitments-client.ts";
import { type SourceSale, sourceSaleOf } from "../source/source-sale.ts";
import type { IndexerMetrics } from "./indexer-metrics.ts";

const PAGE_SIZE = 500;

/** Keeps one sale up to date. */
export interface Worker {
  definitionListed(version: bigint): void;
  stop(): Promise<void>;
}

export interface SaleAssignmentsOptions {
  readonly client: CommitmentsClient;
  /** Time between two reads of the list of sales, in milliseconds. */
  readonly intervalMs: number;
  readonly startWorker: (sale: SourceSale) => Worker;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
}

/** Runs a worker for every sale that has a source and isn't a draft. The sale's lease decides which process reads it. */
export class SaleAssignments {
  readonly #options: SaleAssignmentsOptions;
  readonly #workers = new Map<string, Worker>();
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #hasListed = false;

  constructor(options: SaleAssignmentsOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  /** Whether the list of sales was read at least once. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#assign(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#options.logger.warn({ err: error }, "sales can't be listed");
      });
      await wait(this.#options.intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #assign(signal: AbortSignal): Promise<void> {
    const { startWorker, metrics } = this.#options;
    const seen = new Set<string>();
    for await (const sale of this.#sales(signal)) {
      seen.add(sale.uuid);
      const worker = this.#workers.get(sale.uuid) ?? startWorker(sale);
      this.#workers.set(sale.uuid, worker);
      worker.definitionListed(sale.definitionVersion);
    }
    for (const [uuid, worker] of this.#workers) {
      if (seen.has(uuid)) continue;
      this.#workers.delete(uuid);
      await worker.stop();
    }
    this.#hasListed = true;
    metrics.sales.set(this.#workers.size);
  }

  async *#sales(signal: AbortSignal): AsyncGenerator<SourceSale> {
    let pageToken = "";
    do {
      const page = await this.#options.client.sales.listSales({ pageSize: PAGE_SIZE, pageToken }, { signal });
      for (const sale of page.sales) {
        const source = sourceSaleOf(sale);
        if (source !== undefined) yield source;
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }
}
