import type { Reading, SourcePosition, SourceReader, StoredSale } from "../source-reader.ts";
import { SourceFault } from "../source-reader.ts";
import { type Block, positionOf } from "./block.ts";
import { ChunkSize } from "./chunk-size.ts";
import { type ContractLogs, logsAfter, logsRowsLately } from "./contract-logs.ts";
import { Doubt } from "./doubt.ts";
import type { EvmEndpoint } from "./endpoint.ts";
import type { Heads, HeadTracker } from "./head.ts";
import { LogAudit, LogTrust } from "./log-trust.ts";
import { OptionalFunctions } from "./optional-functions.ts";
import { type Known, readPartial } from "./partial.ts";
import { PinnedBlock } from "./pinned-block.ts";
import { RowReader } from "./row-reader.ts";
import { loadSaleCalls, type SaleCalls } from "./sale-calls.ts";
import { checkSaleUuid, explained, readSaleFacts, type SaleFacts } from "./sale-facts.ts";
import { Sweep } from "./sweep.ts";
import { SweepSchedule } from "./sweep-schedule.ts";
import { TotalsCheck } from "./totals-check.ts";

/** After a start nobody knows whether the node lags or the chain was set back: it is believed the third time. */
const READINGS_BEHIND_STORE = 3;

export interface EvmReaderOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
  /** Lower-case address. */
  readonly contract: string;
  readonly saleUuid: string;
  /** Rows that a chunk begins with. */
  readonly chunkRows: number;
  readonly sweepIntervalMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** What a reading learnt; valid once it is applied. */
interface Learnt extends Known {
  readonly position: SourcePosition;
  /** Whether partial readings may follow, as far as the rows tell. */
  readonly suitsPartial: boolean;
}

/** All that one reading works with. */
interface Session {
  readonly stored: StoredSale;
  readonly heads: Heads;
  readonly pinned: PinnedBlock;
  readonly calls: SaleCalls;
  readonly rows: RowReader;
  readonly signal: AbortSignal;
}

export function createEvmReader(options: EvmReaderOptions): SourceReader {
  return new EvmReader(options);
}

/** Decides between sweeps and partial readings of one sale, and keeps what they learn. */
class EvmReader implements SourceReader {
  readonly #options: EvmReaderOptions;
  readonly #chunkSize: ChunkSize;
  readonly #schedule: SweepSchedule;
  readonly #optional = new OptionalFunctions();
  readonly #totals = new TotalsCheck();
  readonly #trust = new LogTrust();
  readonly #pending = new WeakMap<Reading, () => void>();
  #learnt: Learnt | undefined;
  #lookedForLogs = false;
  #readingsBehind = 0;

  constructor(options: EvmReaderOptions) {
    this.#options = options;
    this.#chunkSize = new ChunkSize(options.chunkRows);
    this.#schedule = new SweepSchedule(options.sweepIntervalMs, options.now);
  }

  async next(stored: StoredSale, signal: AbortSignal): Promise<Reading | undefined> {
    const { endpoint, heads, contract } = this.#options;
    const now = await heads.current(signal);
    this.#checkNotBehind(stored, now.readable);
    const learnt = this.#learntOf(stored);
    if (learnt?.position.hash === now.readable.hash) return undefined;
    const session = await this.#session(stored, now, signal);
    try {
      const partial = learnt && (await this.#partialUnlessDoubted(session, learnt));
      if (partial !== undefined) return partial;
      if (learnt !== undefined && this.#schedule.rests()) return undefined;
      return await this.#sweep(session, learnt);
    } catch (error) {
      signal.throwIfAborted();
      throw await explained(error, endpoint, contract, signal);
    }
  }

  applied(reading: Reading): void {
    this.#pending.get(reading)?.();
    this.#pending.delete(reading);
  }

  doubt(_reason: string): void {
    this.#learnt = undefined;
  }

  /** What was learnt, as long as the store is where that was. */
  #learntOf({ position, hasSnapshot }: StoredSale): Learnt | undefined {
    const learnt = this.#learnt;
    const isSame = learnt?.position.height === position?.height && learnt?.position.hash === position?.hash;
    return hasSnapshot && isSame ? learnt : undefined;
  }

  #checkNotBehind({ position }: StoredSale, { number }: Block): void {
    const isBehind = position !== undefined && number < position.height;
    this.#readingsBehind = isBehind ? this.#readingsBehind + 1 : 0;
    if (!isBehind || this.#readingsBehind >= READINGS_BEHIND_STORE) return;
    const words = `the nodes are at block ${number}, behind block ${position.height} that was read before`;
    throw new SourceFault(words, { remedy: "wait" });
  }

  async #session(stored: StoredSale, heads: Heads, signal: AbortSignal): Promise<Session> {
    const { endpoint, contract } = this.#options;
    const pinned = new PinnedBlock(endpoint, contract, heads.readable);
    const calls = await loadSaleCalls();
    const { paymentTokens } = stored;
    const rows = new RowReader({ pinned, calls, chunkSize: this.#chunkSize, paymentTokens });
    return { stored, heads, pinned, calls, rows, signal };
  }

  /** Undefined where a sweep is called for. */
  async #partialUnlessDoubted(session: Session, learnt: Learnt): Promise<Reading | undefined> {
    if (!learnt.suitsPartial || !this.#trust.isProven || this.#schedule.isDue()) return undefined;
    try {
      return await this.#partial(session, learnt);
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      this.#schedule.doubt();
      return undefined;
    }
  }

  async #partial(session: Session, learnt: Learnt): Promise<Reading> {
    const { heads, pinned, calls, rows, stored, signal } = session;
    const [logs, facts] = await Promise.all([
      this.#logsSince(learnt, heads.readable, signal),
      readSaleFacts(pinned, calls, this.#optional, signal),
    ]);
    const read = await readPartial({ rows, stored, known: learnt, logs, facts, totals: this.#totals, signal });
    await pinned.verify(signal);
    const warning = facts.totals && this.#totals.verdict(read.sums, facts.totals, heads.readable.hash);
    const reading: Reading = {
      ...readingHead(heads, facts),
      kind: "partial",
      differences: oneDifference(read.upserts),
      rowsRead: () => BigInt(read.rowsRead),
      warning: () => warning,
    };
    const position = positionOf(heads.readable);
    this.#pending.set(reading, () => {
      this.#learnt = { position, count: facts.count, sums: read.sums, suitsPartial: true };
      this.#schedule.partialApplied();
    });
    return reading;
  }

  async #sweep(session: Session, learnt: Learnt | undefined): Promise<Reading> {
    const { heads, pinned, calls, rows, stored, signal } = session;
    const finish = this.#schedule.begin();
    const [facts, audit] = await Promise.all([
      readSaleFacts(pinned, calls, this.#optional, signal),
      this.#audit(learnt, heads.readable, signal),
      checkSaleUuid(pinned, calls, this.#optional, this.#options.saleUuid, signal),
    ]);
    const sweep = new Sweep({ rows, chunkSize: this.#chunkSize, stored, count: facts.count, signal });
    let warning: string | undefined;
    const conclude = async () => {
      await pinned.verify(signal);
      warning = facts.totals && this.#totals.verdict(sweep.sums, facts.totals, heads.readable.hash);
      audit?.conclude();
    };
    const reading: Reading = {
      ...readingHead(heads, facts),
      kind: "sweep",
      differences: this.#audited(sweep, audit, conclude),
      rowsRead: () => sweep.rowsRead,
      warning: () => [warning, this.#trust.warning].filter((words) => words !== undefined).join("; ") || undefined,
    };
    this.#pending.set(reading, () => {
      const suitsPartial = facts.totals !== undefined && sweep.idsArePadded;
      this.#learnt = { position: reading.position, count: facts.count, sums: sweep.sums, suitsPartial };
      finish();
    });
    return reading;
  }

  /** Where the logs since the last reading can be had, the sweep shows whether they named everything. */
  async #audit(learnt: Learnt | undefined, block: Block, signal: AbortSignal): Promise<LogAudit | undefined> {
    const { endpoint, contract } = this.#options;
    if (this.#trust.isLost) return undefined;
    if (!this.#lookedForLogs && (await logsRowsLately(endpoint, contract, block, signal))) this.#trust.prove();
    this.#lookedForLogs = true;
    if (learnt?.suitsPartial !== true) return undefined;
    try {
      return new LogAudit(this.#trust, await this.#logsSince(learnt, block, signal));
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
  }

  #logsSince({ position }: Learnt, block: Block, signal: AbortSignal): Promise<ContractLogs> {
    const { endpoint, contract } = this.#options;
    return logsAfter(endpoint, contract, position, block, signal);
  }

  async *#audited(sweep: Sweep, audit: LogAudit | undefined, conclude: () => Promise<void>) {
    for await (const difference of sweep.differences()) {
      audit?.note(difference);
      yield difference;
    }
    await conclude();
  }
}

function readingHead({ newest, readable }: Heads, { stage, count }: SaleFacts) {
  const position = positionOf(readable);
  return { position, headHeight: newest.number, count, ...(stage === undefined ? {} : { stage }) };
}

async function* oneDifference(upserts: Parameters<LogAudit["note"]>[0]["upserts"]) {
  if (upserts.length > 0) yield { upserts, removals: [] };
}
