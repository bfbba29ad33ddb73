import { Code, ConnectError } from "@connectrpc/connect";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import type { SourceReader } from "../../../common/contracts/source-reader.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import type { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";
import { POSITION_INTERVAL_MS, PROGRESS_INTERVAL_MS } from "../base/lifetimes.ts";
import type { PublishTarget } from "../sending/apply-calls.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";
import { type Published, publish, totalsText } from "../sending/publish.ts";
import { rejectionMessage } from "../sending/rejection-message.ts";
import type { SourceSale } from "../sending/source-sale.ts";
import { storedSale } from "../sending/stored-sale.ts";
import type { IndexerMetrics } from "./indexer-metrics.ts";
import type { ProblemLog } from "./problem-log.ts";
import { readDelayMs } from "./read-delay.ts";
import { type ReadSuccess, SourceReports } from "./source-reports.ts";
import { TokenComparison } from "./token-comparison.ts";

export interface LeasedSaleOptions {
  readonly client: CommitmentsClient;
  readonly chain: ChainConnection;
  /** Bounds the sales of the chain that are read at once. */
  readonly semaphore: Semaphore;
  /** Most rows in one apply. */
  readonly maxRows: number;
  readonly logger: Logger;
  readonly metrics: IndexerMetrics;
}

/** The reading of one sale under one lease. */
export class LeasedSale {
  readonly #options: LeasedSaleOptions;
  readonly #leaseEpoch: bigint;
  readonly #signal: AbortSignal;
  readonly #reports: SourceReports;
  readonly #reader: SourceReader;
  readonly #problems: ProblemLog;
  readonly #tokens: TokenComparison;
  /** Time of the last apply under this lease, by the monotonic clock: a new lease stores its position at once. */
  #appliedAt = -Infinity;
  #stage: SaleStage | undefined;
  #allocationTotals: string | undefined;
  /** How far the source was read since, without anything to apply, and the store's position meanwhile: the rows are those of both. */
  #readOn: { readonly stored: SourcePosition | undefined; readonly position: SourcePosition } | undefined;

  constructor(
    options: LeasedSaleOptions,
    sale: SourceSale,
    leaseEpoch: bigint,
    problems: ProblemLog,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#leaseEpoch = leaseEpoch;
    this.#problems = problems;
    this.#signal = signal;
    const { uuid, sweepRequests, address } = sale;
    const reported = { uuid, sweepRequests, shownChain: options.chain.shown?.(address) };
    this.#reports = new SourceReports(options.client, reported, leaseEpoch, signal);
    this.#tokens = new TokenComparison(options.chain);
    const { contractFamily } = sale;
    const contracts = contractFamily === undefined ? {} : { contractFamily };
    this.#reader = options.chain.createReader({ saleUuid: uuid, address, ...contracts });
  }

  /** The wait that the source asked for with the last failure, in milliseconds. 0: it can be read again at once. */
  get retryAfterMs(): number | undefined {
    return this.#reports.retryAfterMs;
  }

  /** Waits for the report of the last read, without which nobody knows of it. */
  reported(): Promise<void> {
    return this.#reports.reported();
  }

  /**
   * Reads the source once and applies what differs from the store. A read doesn't wait for its report.
   *
   * @returns the sale as it is afterwards; undefined if that failed, which is logged and reported.
   * @throws the signal's reason; ConnectError `aborted` if the lease or the store's revision is no longer the expected one.
   */
  async read(sale: SourceSale): Promise<SourceSale | undefined> {
    const { client, chain, semaphore, metrics } = this.#options;
    const [reader, reports, signal] = [this.#reader, this.#reports, this.#signal];
    let snapshot: Snapshot | undefined;
    try {
      if (reports.isSweepRequested()) reader.invalidate();
      reports.nodesWarning(nodesWarning(chain));
      const stored = storedSale(client, this.#readOnFrom(sale), signal);
      const after = await semaphore.run(async () => {
        snapshot = await reader.next(stored, signal);
        reports.headSeen(reader.headHeight());
        return snapshot === undefined ? sale : this.#publish(sale, snapshot);
      }, signal);
      this.#problems.clear();
      metrics.headLag.upToDate(sale.uuid, sale.chain);
      void reports.healthy(this.#success(snapshot, after));
      void this.#compareTokens(after);
      await semaphore.run(() => this.#prove(after), signal);
      return after;
    } catch (error) {
      // A reader knows about its own failures, but not about a snapshot that couldn't be applied.
      if (snapshot !== undefined) reader.invalidate();
      if (signal.aborted || ConnectError.from(error).code === Code.Aborted) throw error;
      this.#reportFailure(sale, error);
      return undefined;
    }
  }

  /**
   * Returns a sale at the position up to which it was read, though the store keeps its own as long as nothing differs. A store that has
   * another position by now may have other rows, too.
   */
  #readOnFrom(sale: SourceSale): SourceSale {
    const { stored, position } = this.#readOn ?? {};
    const isSame = sale.position?.height === stored?.height && sale.position?.hash === stored?.hash;
    return position !== undefined && isSame ? { ...sale, position } : sale;
  }

  /** A failure says nothing about the sale: the proof goes on after the next read. */
  async #prove(sale: SourceSale): Promise<void> {
    const { client, logger } = this.#options;
    const signal = this.#signal;
    const stored = storedSale(client, this.#readOnFrom(sale), signal);
    await this.#reader.prove?.(stored, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      logger.debug({ err: error, sale: sale.uuid }, "the stored rows weren't compared");
    });
  }

  /** The read that has just ended, if it showed that the store is equal to the source. */
  #success(snapshot: Snapshot | undefined, { settled }: SourceSale): ReadSuccess | undefined {
    const position = snapshot?.position ?? this.#reader.upToDateAt();
    if (position === undefined) return undefined;
    const pollMs = readDelayMs(this.#options.chain, settled);
    return { position, readIntervalMs: Math.max(pollMs, this.#reader.restMs()) };
  }

  async #publish(sale: SourceSale, snapshot: Snapshot): Promise<SourceSale> {
    const { metrics, logger } = this.#options;
    const { kind, position, stage } = snapshot;
    const begin = performance.now();
    const published = await this.#publishWithProgress(sale, snapshot);
    this.#reader.applied(snapshot);
    this.#readOn = published.applied ? undefined : { stored: sale.position, position };
    this.#reports.end(snapshot);
    metrics.reads.inc({ chain: sale.chain, kind });
    const { rows, revision } = published;
    if (rows > 0 || kind === "sweep") {
      const millis = Math.round(performance.now() - begin);
      logger.info({ sale: sale.uuid, kind, rows, height: position.height.toString(), millis }, "sale was read");
    }
    if (!published.applied) return sale;
    this.#appliedAt = begin;
    this.#stage = stage;
    this.#allocationTotals = totalsText(snapshot);
    const settled = stage === undefined ? sale.settled : stage === "done";
    return { ...sale, settled, revision, position, hasSnapshot: true, changeSetOpen: false };
  }

  async #publishWithProgress(sale: SourceSale, snapshot: Snapshot): Promise<Published> {
    const { client, metrics } = this.#options;
    const reports = this.#reports;
    reports.begin(snapshot);
    const progress = setInterval(() => reports.progress(snapshot), PROGRESS_INTERVAL_MS);
    const countRows = (rows: number) => metrics.rows.inc({ chain: sale.chain }, rows);
    try {
      return await publish(client, this.#target(sale, snapshot), snapshot, this.#signal, countRows);
    } finally {
      clearInterval(progress);
    }
  }

  #target({ uuid: saleUuid, revision, changeSetOpen }: SourceSale, { kind }: Snapshot): PublishTarget {
    const { maxRows } = this.#options;
    const movePosition = kind === "sweep" || performance.now() - this.#appliedAt >= POSITION_INTERVAL_MS;
    const applied = {
      ...(this.#stage === undefined ? {} : { stage: this.#stage }),
      ...(this.#allocationTotals === undefined ? {} : { allocationTotals: this.#allocationTotals }),
    };
    return { saleUuid, leaseEpoch: this.#leaseEpoch, revision, changeSetOpen, maxRows, movePosition, ...applied };
  }

  async #compareTokens(sale: SourceSale): Promise<void> {
    const warning = await this.#tokens.warning(sale, this.#signal);
    if (warning !== undefined) this.#reports.tokensWarning(warning);
  }

  #reportFailure(sale: SourceSale, error: unknown): void {
    const isFault = error instanceof SourceFault;
    // A source that never gave a snapshot and needs mending isn't late: there are no figures that stand still.
    const neverLived = isFault && error.remedy === "mend" && !error.isOfNodes && !sale.hasSnapshot;
    if (neverLived) this.#options.metrics.headLag.forget(sale.uuid);
    this.#options.metrics.faults.inc({ remedy: isFault ? error.remedy : "internal" });
    this.#problems.add(error, "sale can't be read");
    const message = isFault ? error.message : rejectionMessage(error);
    void this.#reports.fault(message, isFault ? error.retryAfterMs : undefined);
  }
}

function nodesWarning(chain: ChainConnection): string {
  const problems = chain.nodeHeads().flatMap(({ problem }) => problem ?? []);
  return problems.length === 0 ? "" : `${problems.join("; ")}: the operator should check that node`;
}
