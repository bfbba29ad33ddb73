import type { CommitmentsClient } from "../apply/commitments-client.ts";
import type { Reading } from "../source/source-reader.ts";
import type { SourceSale } from "../source/source-sale.ts";

/** An unchanged status is told again this often, so that people see that somebody looks. */
const REPEAT_MS = 5_000;
/** What the contract takes, in characters. */
const MAX_TEXT = 1_000;

interface Status {
  readonly headHeight: bigint;
  readonly fault: string;
  readonly warning: string;
  readonly sweep: { rowsDone: bigint; rowsTotal: bigint; running: boolean; sweepRequests: bigint };
}

/** Tells the commitments service how the reading of one sale goes, and hears whether a sweep is asked for. */
export class SourceReports {
  readonly #client: CommitmentsClient;
  readonly #saleUuid: string;
  readonly #leaseEpoch: bigint;
  readonly #signal: AbortSignal;
  #status: Status = {
    headHeight: 0n,
    fault: "",
    warning: "",
    sweep: { rowsDone: 0n, rowsTotal: 0n, running: false, sweepRequests: 0n },
  };
  #told: { readonly status: Status; readonly at: number } | undefined;
  #telling: Promise<void> | undefined;
  /** Sweeps that have been asked for; learnt from the sale and with each report. */
  #requested: bigint;
  /** How many of them the last finished sweep had seen when it began. */
  #answered: bigint | undefined;
  retryAfterMs: number | undefined;
  /** What is wrong with the source as the last reading found it, and with the nodes of its chain. */
  #warnings = { source: "", nodes: "" };

  constructor(
    client: CommitmentsClient,
    sale: Pick<SourceSale, "uuid" | "sweepRequests">,
    leaseEpoch: bigint,
    signal: AbortSignal,
  ) {
    this.#client = client;
    this.#saleUuid = sale.uuid;
    this.#requested = sale.sweepRequests;
    this.#leaseEpoch = leaseEpoch;
    this.#signal = signal;
  }

  sweepIsWanted(): boolean {
    return this.#answered !== undefined && this.#requested > this.#answered;
  }

  /** What a look at the chain that found nothing to read has learnt. */
  looked(headHeight: bigint): void {
    this.#status = { ...this.#status, headHeight };
  }

  /** What is wrong with the nodes of the chain though the sale can be read; empty for nothing. */
  nodes(warning: string): void {
    this.#warn({ nodes: warning });
  }

  begin(reading: Reading): void {
    this.#note(reading, true);
  }

  /** Doesn't wait: a sweep goes on while its progress is told, one report at a time. */
  progress(reading: Reading): void {
    this.#note(reading, true);
    if (reading.kind === "sweep") this.#telling ??= this.#tellQuietly();
  }

  end(reading: Reading): void {
    this.#note(reading, false);
    if (reading.kind === "sweep") this.#answered = this.#status.sweep.sweepRequests;
    this.#warn({ source: reading.warning() ?? "" });
  }

  async healthy(): Promise<void> {
    this.retryAfterMs = undefined;
    this.#status = { ...this.#status, fault: "" };
    await this.#tellIfNews();
  }

  async fault(message: string, retryAfterMs: number | undefined): Promise<void> {
    this.retryAfterMs = retryAfterMs;
    const sweep = { ...this.#status.sweep, running: false };
    this.#status = { ...this.#status, sweep, fault: message.slice(0, MAX_TEXT) };
    await this.#tellIfNews();
  }

  #warn(change: { source?: string; nodes?: string }): void {
    this.#warnings = { ...this.#warnings, ...change };
    const { source, nodes } = this.#warnings;
    const warning = [source, nodes].filter((words) => words !== "").join("; ");
    this.#status = { ...this.#status, warning: warning.slice(0, MAX_TEXT) };
  }

  #note(reading: Reading, running: boolean): void {
    const { headHeight, kind, count } = reading;
    const before = this.#status.sweep;
    const sweepRequests = running && !before.running ? this.#requested : before.sweepRequests;
    const sweep = { rowsDone: reading.rowsRead(), rowsTotal: count, running, sweepRequests };
    this.#status = { ...this.#status, headHeight, ...(kind === "sweep" ? { sweep } : {}) };
  }

  async #tellIfNews(): Promise<void> {
    await this.#telling;
    const { fault, warning, sweep } = this.#status;
    const told = this.#told;
    const isNews =
      told === undefined ||
      told.status.fault !== fault ||
      told.status.warning !== warning ||
      told.status.sweep.running !== sweep.running ||
      told.status.sweep.sweepRequests !== sweep.sweepRequests ||
      performance.now() - told.at >= REPEAT_MS;
    if (isNews) await this.#tellQuietly();
  }

  /** A report that fails is no reason to stop reading; the next one says the same. */
  async #tellQuietly(): Promise<void> {
    const status = this.#status;
    const request = { saleUuid: this.#saleUuid, leaseEpoch: this.#leaseEpoch, ...status };
    const answer = await this.#client.commitments
      .reportSourceStatus(request, { signal: this.#signal })
      .catch(() => undefined);
    this.#telling = undefined;
    if (answer === undefined) return;
    this.#requested = answer.sweepRequests;
    this.#told = { status, at: performance.now() };
  }
}
