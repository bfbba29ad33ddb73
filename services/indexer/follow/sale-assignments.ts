import { setTimeout as wait } from "node:timers/promises";
import { untilSharedMoment } from "../../../common/platform/concurrency/shared-moments.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { NOT_ANSWERED, unansweredReason } from "../../../common/platform/rpc/client/unanswered-reason.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";
import { type SourceSale, sourceNameOf } from "../sending/source-sale.ts";
import type { IndexerMetrics } from "./indexer-metrics.ts";
import { SaleListing } from "./sale-listing.ts";

/** Keeps one sale up to date. */
export interface Worker {
  /** Handles the sale in the latest list; its source is the one that the worker was started with. */
  listed(sale: SourceSale): void;
  stop(): Promise<void>;
}

interface AssignedWorker {
  readonly worker: Worker;
  /** See `sourceNameOf`. */
  readonly source: string;
}

export interface SaleAssignmentsOptions {
  readonly client: CommitmentsClient;
  /** Time between two listings of changed sales, in milliseconds. */
  readonly intervalMs: number;
  readonly startWorker: (sale: SourceSale) => Worker;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
}

/** Runs a worker for every sale that has a source and isn't a draft. The sale's lease decides which process reads it. */
export class SaleAssignments {
  readonly #options: SaleAssignmentsOptions;
  readonly #listing: SaleListing;
  readonly #workers = new Map<string, AssignedWorker>();
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  /** The reason why the list of sales was never read; undefined once it was. */
  #unlisted: string | undefined = NOT_ANSWERED;

  constructor(options: SaleAssignmentsOptions) {
    this.#options = options;
    this.#listing = new SaleListing(options.client);
    this.#done = this.#run();
  }

  /** For readiness: true once the list of sales was read, else why not. */
  status(): true | string {
    return this.#unlisted ?? true;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    await Promise.all([...this.#workers.values()].map(({ worker }) => worker.stop()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#assign(signal).catch((error: unknown) => {
        if (this.#unlisted !== undefined) this.#unlisted = unansweredReason(error);
        if (!signal.aborted) this.#options.logger.warn({ err: error }, "sales can't be listed");
      });
      await wait(untilSharedMoment(this.#options.intervalMs), undefined, { signal }).catch(() => undefined);
    }
  }

  async #assign(signal: AbortSignal): Promise<void> {
    const { metrics } = this.#options;
    const { isWhole, sales } = await this.#listing.next(signal);
    const seen = new Set<string>();
    for await (const { uuid, source } of sales) {
      if (source === undefined) await this.#end(uuid);
      else (await this.#workerFor(source)).listed(source);
      seen.add(uuid);
    }
    if (isWhole) for (const uuid of this.#workers.keys()) if (!seen.has(uuid)) await this.#end(uuid);
    this.#unlisted = undefined;
    metrics.sales.set(this.#workers.size);
  }

  /** Returns the worker of a sale. One that reads another source than the sale has now is replaced. */
  async #workerFor(sale: SourceSale): Promise<Worker> {
    const source = sourceNameOf(sale);
    const assigned = this.#workers.get(sale.uuid);
    if (assigned?.source === source) return assigned.worker;
    await this.#end(sale.uuid);
    const worker = this.#options.startWorker(sale);
    this.#workers.set(sale.uuid, { worker, source });
    return worker;
  }

  async #end(saleUuid: string): Promise<void> {
    const assigned = this.#workers.get(saleUuid);
    if (assigned === undefined) return;
    this.#workers.delete(saleUuid);
    await assigned.worker.stop();
    this.#options.metrics.headLag.setFinal(saleUuid, false);
  }
}
