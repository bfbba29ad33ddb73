import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import type { SourceChain } from "../../../common/chains/explorer-links.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { LONGEST_REPORTED_INTERVAL_MS, REPEATED_STATUS_MS } from "../base/lifetimes.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";
import type { SourceSale } from "../sending/source-sale.ts";

/** Limit of the RPC, in characters. */
const MAX_TEXT = 1_000;

/** A read that showed that the store is equal to the source. */
export interface ReadSuccess {
  readonly position: SourcePosition;
  /** The longest time until the next read, in milliseconds. */
  readonly readIntervalMs: number;
}

interface Status {
  readonly headHeight: bigint;
  readonly fault: string;
  readonly warning: string;
  readonly sweep: { rowsDone: bigint; rowsTotal: bigint; running: boolean; sweepRequests: bigint };
}

interface Report {
  readonly status: Status;
  readonly success?: ReadSuccess | undefined;
  /** Whether it is sent even if it says nothing new. */
  readonly isDue?: boolean;
}

/** A sale that is reported on. */
export interface ReportedSale extends Pick<SourceSale, "uuid" | "sweepRequests"> {
  /** Absent if its chain isn't configured. */
  readonly shownChain?: SourceChain | undefined;
}

/** Reports to the commitments service how reading one sale goes. Its answers say how many sweeps were requested. */
export class SourceReports {
  readonly #client: CommitmentsClient;
  readonly #saleUuid: string;
  readonly #chain: SourceChain | undefined;
  readonly #leaseEpoch: bigint;
  readonly #signal: AbortSignal;
  #status: Status = {
    headHeight: 0n,
    fault: "",
    warning: "",
    sweep: { rowsDone: 0n, rowsTotal: 0n, running: false, sweepRequests: 0n },
  };
  #lastReport: { readonly status: Status; readonly at: number } | undefined;
  /** The report that waits for the one under way. */
  #next: Report | undefined;
  #isReporting = false;
  #reporting: Promise<void> = Promise.resolve();
  /** Number of sweeps requested so far, from the sale and from the answers to reports. */
  #requested: bigint;
  /** Number of requests that were known when the last finished sweep began. */
  #answered: bigint | undefined;
  /** Problems of the source as of the last snapshot, of the chain's nodes, and of the payment tokens. */
  #warnings = { source: "", nodes: "", tokens: "" };
  /** The wait that the source asked for with its last fault. */
  retryAfterMs: number | undefined;

  constructor(client: CommitmentsClient, sale: ReportedSale, leaseEpoch: bigint, signal: AbortSignal) {
    this.#client = client;
    this.#saleUuid = sale.uuid;
    this.#chain = sale.shownChain;
    this.#requested = sale.sweepRequests;
    this.#leaseEpoch = leaseEpoch;
    this.#signal = signal;
  }

  /** Whether a sweep was requested after the last one began. */
  isSweepRequested(): boolean {
    return this.#answered !== undefined && this.#requested > this.#answered;
  }

  /** Notes the newest height of the chain. */
  headSeen(headHeight: bigint): void {
    this.#status = { ...this.#status, headHeight };
  }

  /** Notes a problem of the chain's nodes that doesn't prevent reading; empty if there is none. */
  nodesWarning(warning: string): void {
    this.#warn({ nodes: warning });
  }

  /** Notes a difference between the payment tokens and their chain; empty if there is none. */
  tokensWarning(warning: string): void {
    this.#warn({ tokens: warning });
  }

  begin(snapshot: Snapshot): void {
    this.#note(snapshot, true);
  }

  /** Reports the progress of a sweep without waiting for the answer, unless a report is under way. */
  progress(snapshot: Snapshot): void {
    this.#note(snapshot, true);
    if (snapshot.kind === "sweep" && !this.#isReporting) void this.#send({ status: this.#status, isDue: true });
  }

  end(snapshot: Snapshot): void {
    this.#note(snapshot, false);
    if (snapshot.kind === "sweep") this.#answered = this.#status.sweep.sweepRequests;
    this.#warn({ source: snapshot.warning() ?? "" });
  }

  /**
   * Reports a read that went well. Reads needn't wait for that.
   *
   * @param success undefined if the read couldn't find out whether the store is equal to the source.
   */
  healthy(success: ReadSuccess | undefined): Promise<void> {
    this.retryAfterMs = undefined;
    this.#status = { ...this.#status, fault: "" };
    return this.#send({ status: this.#status, success });
  }

  /** Waits for the reports that are under way or waiting. */
  reported(): Promise<void> {
    return this.#reporting;
  }

  /** Reports a read that failed. */
  fault(message: string, retryAfterMs: number | undefined): Promise<void> {
    this.retryAfterMs = retryAfterMs;
    const sweep = { ...this.#status.sweep, running: false };
    this.#status = { ...this.#status, sweep, fault: message.slice(0, MAX_TEXT) };
    return this.#send({ status: this.#status });
  }

  #warn(change: { source?: string; nodes?: string; tokens?: string }): void {
    this.#warnings = { ...this.#warnings, ...change };
    const { source, nodes, tokens } = this.#warnings;
    const warning = [source, tokens, nodes].filter((text) => text !== "").join("; ");
    this.#status = { ...this.#status, warning: warning.slice(0, MAX_TEXT) };
  }

  #note(snapshot: Snapshot, running: boolean): void {
    const { headHeight, kind, count } = snapshot;
    const before = this.#status.sweep;
    const sweepRequests = running && !before.running ? this.#requested : before.sweepRequests;
    const sweep = { rowsDone: snapshot.rowsRead(), rowsTotal: count, running, sweepRequests };
    this.#status = { ...this.#status, headHeight, ...(kind === "sweep" ? { sweep } : {}) };
  }

  /** Sends one report at a time, so that none overtakes another. Of those that come meanwhile only the newest is sent. */
  #send(report: Report): Promise<void> {
    this.#next = report;
    if (!this.#isReporting) this.#reporting = this.#sendAll();
    return this.#reporting;
  }

  async #sendAll(): Promise<void> {
    this.#isReporting = true;
    for (let report = this.#takeNext(); report !== undefined; report = this.#takeNext()) {
      if (report.isDue === true || this.#isDue(report.status)) await this.#report(report);
    }
    this.#isReporting = false;
  }

  #takeNext(): Report | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  /** Whether people would want to see a status at once, or the last report is old. */
  #isDue({ fault, warning, sweep }: Status): boolean {
    const last = this.#lastReport;
    return (
      last === undefined ||
      last.status.fault !== fault ||
      last.status.warning !== warning ||
      last.status.sweep.running !== sweep.running ||
      last.status.sweep.sweepRequests !== sweep.sweepRequests ||
      performance.now() - last.at >= REPEATED_STATUS_MS
    );
  }

  /** A failed report doesn't stop the reading: the next one says the same. */
  async #report({ status, success }: Report): Promise<void> {
    const chain = this.#chain;
    const sale = { saleUuid: this.#saleUuid, leaseEpoch: this.#leaseEpoch, ...(chain && { chain }) };
    const request = { ...sale, ...status, ...successFields(success) };
    const answer = await this.#client.commitments
      .reportSourceStatus(request, { signal: this.#signal })
      .catch(() => undefined);
    if (answer === undefined) return;
    this.#requested = answer.sweepRequests;
    this.#lastReport = { status, at: performance.now() };
  }
}

function successFields(success: ReadSuccess | undefined) {
  if (success === undefined) return {};
  const { position, readIntervalMs } = success;
  const { height, hash, timeSeconds } = position;
  return {
    asOf: { height, hash: messageBytes(hash) },
    ...(timeSeconds === undefined ? {} : { blockTimeSeconds: timeSeconds }),
    readInterval: durationFromMs(Math.min(Math.round(readIntervalMs), LONGEST_REPORTED_INTERVAL_MS)),
  };
}
