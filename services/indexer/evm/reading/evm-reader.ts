import type { Difference, Snapshot, SourceReader, StoredSale } from "../../source/source-reader.ts";
import { SourceFault } from "../../source/source-reader.ts";
import { OptionalFunctions } from "../contract/optional-functions.ts";
import { ContradictoryAnswers } from "../contract/pinned-block.ts";
import { loadSaleCalls } from "../contract/sale-calls.ts";
import { explainFault, type SaleFacts } from "../contract/sale-facts.ts";
import { LateLogs, SweepRequired } from "../contract/sweep-required.ts";
import type { Block } from "../nodes/block.ts";
import type { EvmEndpoint } from "../nodes/evm-endpoint.ts";
import type { HeadTracker } from "../nodes/head-tracker.ts";
import { ChunkSize } from "./chunk-size.ts";
import { LogAudit, LogTrust } from "./log-trust.ts";
import { readPartial } from "./read-partial.ts";
import { type Learnt, ReadSession } from "./read-session.ts";
import { Sweep } from "./sweep.ts";
import { SweepSchedule } from "./sweep-schedule.ts";
import { TotalsCheck } from "./totals-check.ts";

/** So often answers about one block may be apart before they are taken for wrong, and not for late. */
const LATE_READS = 2;
/** A node that doesn't tell of logs at the first time may at the next. */
const LOOKS_FOR_LOGS = 5;
/** After a start nobody knows whether the node lags or the chain was set back: it is believed the third time. */
const READS_BEHIND_STORE = 3;

export interface EvmReaderOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
  /** Lower-case address. */
  readonly contract: string;
  readonly saleUuid: string;
  /** Rows that a chunk begins with. */
  readonly chunkRows: number;
  readonly sweepIntervalMs: number;
  /** A contract that says it has more commitments isn't read. */
  readonly maxCommitments: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A reader of one sale contract. It asks nothing before the first reading. */
export function createEvmReader(options: EvmReaderOptions): SourceReader {
  return new EvmReader(options);
}

/** Decides between sweeps and partial readings, and keeps what they learn. */
class EvmReader implements SourceReader {
  readonly #options: EvmReaderOptions;
  readonly #chunkSize: ChunkSize;
  readonly #schedule: SweepSchedule;
  readonly #optional = new OptionalFunctions();
  readonly #totals = new TotalsCheck();
  readonly #trust = new LogTrust();
  #learnt: Learnt | undefined;
  /** The reading that was handed out last, and what its being applied means. */
  #pending: { readonly snapshot: Snapshot; readonly learn: () => void } | undefined;
  /** Looks for logs that may still be made before it is left to the audits of sweeps. */
  #looksForLogs = LOOKS_FOR_LOGS;
  /** Readings in a row that found answers about one block apart. */
  #lateReads = 0;
  #readsBehind = 0;
  #headHeight = 0n;

  constructor(options: EvmReaderOptions) {
    this.#options = options;
    this.#chunkSize = new ChunkSize(options.chunkRows);
    this.#schedule = new SweepSchedule(options.sweepIntervalMs, options.now);
  }

  async next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined> {
    const { endpoint, heads: tracker, contract } = this.#options;
    this.#pending = undefined;
    const heads = await tracker.current(signal);
    this.#headHeight = heads.newest.number;
    this.#checkNotBehind(stored, heads.readable);
    const learnt = this.#learntOf(stored);
    if (learnt?.position.hash === heads.readable.hash) return undefined;
    const kept = { chunkSize: this.#chunkSize, optional: this.#optional, calls: await loadSaleCalls() };
    const session = new ReadSession({ ...this.#options, ...kept, heads, stored, learnt, signal });
    try {
      return (await this.#partialUnlessDoubted(session)) ?? (await this.#sweepUnlessResting(session));
    } catch (error) {
      signal.throwIfAborted();
      const isTorn = error instanceof LateLogs || error instanceof ContradictoryAnswers;
      if (isTorn && this.#lateReads < LATE_READS) {
        this.#lateReads += 1;
        return undefined;
      }
      throw await explainFault(error, endpoint, contract, signal);
    }
  }

  headHeight(): bigint {
    return this.#headHeight;
  }

  applied(snapshot: Snapshot): void {
    if (this.#pending?.snapshot === snapshot) this.#pending.learn();
    this.#lateReads = 0;
    this.#pending = undefined;
  }

  invalidate(): void {
    this.#learnt = undefined;
    this.#pending = undefined;
  }

  /** What was learnt, as long as the store is where that was. */
  #learntOf({ position, hasSnapshot }: StoredSale): Learnt | undefined {
    const learnt = this.#learnt;
    const isSame = learnt?.position.height === position?.height && learnt?.position.hash === position?.hash;
    return hasSnapshot && isSame ? learnt : undefined;
  }

  #checkNotBehind({ position }: StoredSale, { number }: Block): void {
    const isBehind = position !== undefined && number < position.height;
    this.#readsBehind = isBehind ? this.#readsBehind + 1 : 0;
    if (!isBehind || this.#readsBehind >= READS_BEHIND_STORE) return;
    const words = `the nodes are at block ${number}, behind block ${position.height} that was read before`;
    throw new SourceFault(words, { remedy: "wait" });
  }

  /** Undefined where a sweep is called for. */
  async #partialUnlessDoubted(session: ReadSession): Promise<Snapshot | undefined> {
    const { learnt } = session.options;
    if (!learnt?.suitsPartial || this.#schedule.isDue()) return undefined;
    await this.#lookForLogs(session, learnt.count);
    if (!this.#trust.isProven) return undefined;
    try {
      return await this.#partial(session, learnt);
    } catch (error) {
      if (!(error instanceof SweepRequired)) throw error;
      if (error instanceof LateLogs && this.#lateReads < LATE_READS) throw error;
      this.#schedule.requireSweep();
      return undefined;
    }
  }

  async #partial(session: ReadSession, learnt: Learnt): Promise<Snapshot> {
    const { stored, signal } = session.options;
    const [logs, facts] = await Promise.all([session.logsSince(learnt.position), session.facts()]);
    const { rows } = session;
    const read = await readPartial({ rows, stored, known: learnt, logs, facts, totals: this.#totals, signal });
    await session.verify();
    const warning = this.#totalsWarning(session, facts, read.sums);
    const snapshot: Snapshot = {
      ...headOf(session, facts),
      kind: "partial",
      differences: oneDifference(read.upserts),
      rowsRead: () => BigInt(read.rowsRead),
      warning: () => warning,
    };
    const learn = () => {
      const { position } = session;
      this.#learnt = { position, stage: facts.stage, count: facts.count, sums: read.sums, suitsPartial: true };
      this.#schedule.partialApplied();
      // Some contracts mark rows by their stage, without a log for each of them.
      if (facts.stage !== learnt.stage) this.#schedule.requireSweep();
    };
    this.#pending = { snapshot, learn };
    return snapshot;
  }

  async #sweepUnlessResting(session: ReadSession): Promise<Snapshot | undefined> {
    if (session.options.learnt !== undefined && this.#schedule.rests()) return undefined;
    const before = session.nodeTime.millis;
    const [facts] = await Promise.all([session.facts(), session.checkSaleUuid()]);
    const audit = await this.#audit(session, facts);
    const { stored, signal } = session.options;
    const sweep = new Sweep({ rows: session.rows, chunkSize: this.#chunkSize, stored, count: facts.count, signal });
    let warning: string | undefined;
    const conclude = async () => {
      await session.verify();
      warning = this.#totalsWarning(session, facts, sweep.sums);
      await audit?.conclude().catch(ignoreDoubt);
    };
    const snapshot: Snapshot = {
      ...headOf(session, facts),
      kind: "sweep",
      differences: audited(sweep, audit, conclude),
      rowsRead: () => sweep.rowsRead,
      warning: () => [warning, this.#trust.warning].filter((words) => words !== undefined).join("; ") || undefined,
    };
    const learn = () => {
      const suitsPartial = facts.totals !== undefined && sweep.idsArePadded;
      const { position } = session;
      this.#learnt = { position, stage: facts.stage, count: facts.count, sums: sweep.sums, suitsPartial };
      this.#schedule.applied(facts.count, session.nodeTime.millis - before);
    };
    this.#pending = { snapshot, learn };
    return snapshot;
  }

  /** Where the logs since the last reading can be had, the sweep shows whether they named everything. */
  async #audit(session: ReadSession, { count }: SaleFacts): Promise<LogAudit | undefined> {
    if (this.#trust.isLost) return undefined;
    await this.#lookForLogs(session, count);
    const { learnt } = session.options;
    if (learnt?.suitsPartial !== true) return undefined;
    try {
      const logs = await session.logsSince(learnt.position);
      return new LogAudit(this.#trust, logs, () => session.logsAgain(learnt.position));
    } catch (error) {
      ignoreDoubt(error);
      return undefined;
    }
  }

  /** At the start nobody knows whether the contract logs, and a sweep may be long in coming. */
  async #lookForLogs(session: ReadSession, count: bigint): Promise<void> {
    if (count === 0n || this.#looksForLogs === 0) return;
    const doesLog = await session.logsLately(count);
    this.#looksForLogs = doesLog === undefined ? this.#looksForLogs - 1 : 0;
    if (doesLog) this.#trust.prove();
  }

  /** Errors as in `TotalsCheck.verdict`. */
  #totalsWarning(session: ReadSession, { totals }: SaleFacts, sums: ReadonlyMap<string, bigint>): string | undefined {
    return totals && this.#totals.verdict(sums, totals, session.position.hash);
  }
}

/** Logs that can't be had prove nothing. */
function ignoreDoubt(error: unknown): void {
  if (!(error instanceof SweepRequired)) throw error;
}

function headOf({ position, options }: ReadSession, { stage, count }: SaleFacts) {
  return { position, headHeight: options.heads.newest.number, count, ...(stage === undefined ? {} : { stage }) };
}

async function* oneDifference(upserts: Difference["upserts"]): AsyncGenerator<Difference, void, undefined> {
  if (upserts.length > 0) yield { upserts, removals: [] };
}

async function* audited(
  sweep: Sweep,
  audit: LogAudit | undefined,
  conclude: () => Promise<void>,
): AsyncGenerator<Difference, void, undefined> {
  for await (const difference of sweep.differences()) {
    audit?.note(difference);
    yield difference;
  }
  await conclude();
}
