import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { type Block, positionOf } from "../../../chains/evm/block.ts";
import type { BlockTimes } from "../../../chains/evm/block-times.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import type { HeadTracker } from "../../../chains/evm/head-tracker.ts";
import { ContradictoryAnswers, PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import type { RecentHeaders } from "../../../chains/evm/recent-headers.ts";
import type { SharedLogs } from "../../../chains/evm/shared-logs.ts";
import type { ContractFacts, ContractMeaning, ReleaseNumber, TokenSums } from "../../contract-facts.ts";
import type { ContractView, EvmFamily } from "../../evm-family.ts";
import type { SecondQuestions } from "../../second-questions.ts";
import type { SourceReader, StoredSale } from "../../source-reader.ts";
import type { Snapshot } from "../../source-snapshot.ts";
import { onlyAccepted, totalsAsSums } from "./accepted-key.ts";
import { AllocationReading } from "./allocation-reading.ts";
import { readAppended } from "./appended-rows.ts";
import type { AppliedState } from "./applied-state.ts";
import { ChunkSize } from "./chunk-size.ts";
import { explainFault } from "./explain-fault.ts";
import { Forks } from "./forks.ts";
import { LogAudit } from "./log-audit.ts";
import { LogTrust } from "./log-trust.ts";
import { readPartial } from "./read-partial.ts";
import { ReadSession } from "./read-session.ts";
import { RowReader } from "./row-reader.ts";
import { audited, ignoreUnansweredReview, ignoreUnreadableLogs, oneDifference, summaryOf } from "./snapshot-parts.ts";
import { Sweep } from "./sweep.ts";
import { LateLogs, SweepRequired } from "./sweep-required.ts";
import { SweepSchedule } from "./sweep-schedule.ts";
import { TotalsCheck } from "./totals-check.ts";
import { endingWithBlock, wasAbandoned } from "./was-abandoned.ts";

/** Successive reads with contradictory answers about one block that are taken for late answers. More are a fault. */
const MAX_LATE_READS = 2;
/** Attempts to find logs of a new contract. A node that doesn't answer the first one, or doesn't have the logs yet, may have them at the next. */
const MAX_LOG_CHECKS = 5;
/** Successive reads behind the store's position after which the chain is taken to be shorter. Before, a node may lag. */
const READS_BEHIND_STORE = 3;

export interface EvmReaderOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
  readonly headers: RecentHeaders;
  /** Times of the chain's blocks, for all its readers. */
  readonly times: BlockTimes;
  /** Lower-case address. */
  readonly contract: string;
  /** The family that the contract is of. */
  readonly family: EvmFamily;
  /** Counts the second questions of all readers of the chain. */
  readonly secondQuestions: SecondQuestions;
  /** Asks for the logs of all contracts of the chain at once. */
  readonly sharedLogs?: SharedLogs | undefined;
  readonly saleUuid: string;
  /** Rows in the first chunk of a sweep. */
  readonly chunkRows: number;
  readonly sweepIntervalMs: number;
  /** Limit for the contract's commitments. */
  readonly maxCommitments: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Creates a reader of one sale contract. It asks nodes nothing before the first read. */
export function createEvmReader(options: EvmReaderOptions): SourceReader {
  return new EvmReader(options);
}

/** Decides between sweeps and partial reads, and keeps the state that partial reads need. */
class EvmReader implements SourceReader {
  readonly #options: EvmReaderOptions;
  readonly #chunkSize: ChunkSize;
  readonly #schedule: SweepSchedule;
  readonly #totals: TotalsCheck;
  readonly #trust = new LogTrust();
  readonly #allocations = new AllocationReading();
  readonly #forks: Forks;
  /** The view of the contract, once there was a read. */
  #view: Promise<ContractView> | undefined;
  #applied: AppliedState | undefined;
  /** The contract's version as of the last read that asked for it, at a block that was verified afterwards. */
  #release: ReleaseNumber | undefined;
  /** Whether the version is to be asked for, because that of the last read that did so isn't known to be good. */
  #isReleaseDue = false;
  /** The snapshot that was returned last, and what to do once it is applied. */
  #pending: { readonly snapshot: Snapshot; readonly onApplied: () => void } | undefined;
  /** Remaining attempts to find logs. Without any, only the audits of sweeps can show that the contract logs. */
  #logChecksLeft = MAX_LOG_CHECKS;
  /** Successive reads with contradictory answers about one block. */
  #lateReads = 0;
  #readsBehind = 0;
  /** Position of the last applied sweep. */
  #sweptAt: SourcePosition | undefined;
  #headHeight = 0n;
  /** Hash of the block of the last read. */
  #readHash = "";
  #upToDateAt: SourcePosition | undefined;

  constructor(options: EvmReaderOptions) {
    this.#options = options;
    this.#chunkSize = new ChunkSize(options.chunkRows);
    this.#schedule = new SweepSchedule(options.sweepIntervalMs, options.now);
    this.#totals = new TotalsCheck(options.family.names);
    this.#forks = new Forks(options);
  }

  async next(stored: StoredSale, signal: AbortSignal): Promise<Snapshot | undefined> {
    const { heads: tracker } = this.#options;
    this.#pending = undefined;
    this.#upToDateAt = undefined;
    const applied = this.#appliedAt(stored);
    // What this reader has applied was final itself. Another process may have stored the position, on what is another chain now.
    if (applied === undefined && stored.position?.hash) await tracker.checkFinal(stored.position, signal);
    const heads = await tracker.current(signal);
    this.#headHeight = heads.newest.number;
    this.#readHash = heads.readable.hash;
    this.#checkNotBehind(stored, heads.readable);
    if (applied?.position.hash === heads.readable.hash) {
      this.#upToDateAt = positionOf(heads.readable);
      return undefined;
    }
    const readerState = { chunkSize: this.#chunkSize, view: await this.#viewOfContract() };
    const session = new ReadSession({ ...this.#options, ...readerState, heads, stored, applied, signal });
    try {
      return (await this.#tryPartial(session)) ?? (await this.#sweepUnlessResting(session));
    } catch (error) {
      signal.throwIfAborted();
      const isLate = error instanceof LateLogs || error instanceof ContradictoryAnswers;
      if (this.#lateReads < MAX_LATE_READS && (isLate || (await wasAbandoned(session, tracker, error)))) {
        this.#lateReads += 1;
        return undefined;
      }
      throw await explainFault(error, this.#options, signal);
    }
  }

  async prove(stored: StoredSale, signal: AbortSignal): Promise<void> {
    const { endpoint, heads, contract } = this.#options;
    const applied = this.#appliedAt(stored);
    // Otherwise every read is a sweep, which takes nothing on trust.
    if (!applied?.allowsPartial || !this.#trustsChanges) return;
    const { position, count } = applied;
    const pinned = new PinnedBlock(endpoint, contract, { number: position.height, hash: position.hash });
    const view = await this.#viewOfContract();
    const step = () => {
      const { paymentTokens } = stored;
      const allocations = applied.allocated ? this.#allocations.join : undefined;
      const rows = new RowReader({ pinned, view, chunkSize: this.#chunkSize, paymentTokens, allocations });
      return { rows, stored, count, signal };
    };
    const hasNewHead = () => heads.latest?.readable.hash !== this.#readHash;
    try {
      const isRight = await this.#forks.continueProof(step, hasNewHead, signal);
      await pinned.verify(signal);
      if (!isRight) this.invalidate();
    } catch (error) {
      signal.throwIfAborted();
      // The proof goes on after the next read.
      if (!(error instanceof SourceFault)) throw error;
    }
  }

  upToDateAt(): SourcePosition | undefined {
    return this.#upToDateAt;
  }

  restMs(): number {
    return this.#schedule.restMs();
  }

  headHeight(): bigint {
    return this.#headHeight;
  }

  applied(snapshot: Snapshot): void {
    if (this.#pending?.snapshot === snapshot) this.#pending.onApplied();
    this.#lateReads = 0;
    this.#pending = undefined;
  }

  invalidate(): void {
    this.#applied = undefined;
    this.#pending = undefined;
  }

  #viewOfContract(): Promise<ContractView> {
    const { family, times } = this.#options;
    this.#view ??= family.view({ use: "again", times }).catch((error: unknown) => {
      this.#view = undefined;
      throw error;
    });
    return this.#view;
  }

  /** The applied state, if it is that of the store's position. */
  #appliedAt({ position, hasSnapshot }: StoredSale): AppliedState | undefined {
    const applied = this.#applied;
    const isSame = applied?.position.height === position?.height && applied?.position.hash === position?.hash;
    return hasSnapshot && isSame ? applied : undefined;
  }

  #checkNotBehind({ position }: StoredSale, { number }: Block): void {
    const isBehind = position !== undefined && number < position.height;
    this.#readsBehind = isBehind ? this.#readsBehind + 1 : 0;
    const isBelieved = !this.#options.heads.readsFinal && this.#readsBehind >= READS_BEHIND_STORE;
    if (!isBehind || isBelieved) return;
    const problem = `the nodes are at block ${number}, behind block ${position.height} that was read before`;
    throw new SourceFault(problem, { remedy: "wait" });
  }

  /** Whether what is found of changes is trusted to be all of them. Of fixed rows that is the number of rows. */
  get #trustsChanges(): boolean {
    return this.#options.family.rowsAreFixed || this.#trust.isProven;
  }

  /** A partial read; undefined if a sweep is required instead. */
  async #tryPartial(session: ReadSession): Promise<Snapshot | undefined> {
    const { applied } = session.options;
    if (!applied?.allowsPartial || this.#schedule.isDue()) return undefined;
    await this.#checkForLogs(session, applied.count);
    if (!this.#trustsChanges) return undefined;
    try {
      return await this.#partial(session, applied);
    } catch (error) {
      if (!(error instanceof SweepRequired)) throw error;
      if (error instanceof LateLogs && this.#lateReads < MAX_LATE_READS) throw error;
      this.#schedule.requireSweep();
      return undefined;
    }
  }

  async #partial(session: ReadSession, applied: AppliedState): Promise<Snapshot> {
    const { family, stored, signal } = session.options;
    const [changes, facts] = await Promise.all([this.#forks.changes(session, applied), session.facts()]);
    if (changes.ancestor !== undefined && (changes.logs.changesStage || facts.stageNumber !== applied.stageNumber)) {
      throw new SweepRequired("the stage changed on one side of a fork, perhaps with rows that no log names");
    }
    this.#isReleaseDue ||= session.options.view.isUnsure;
    const release = this.#isReleaseDue ? await this.#releaseOf(session) : this.#release;
    const meaning = meaningAt(session, facts, release);
    const accepted = await this.#allocations.begin(session, facts.count, meaning.stage);
    const allocated = accepted !== undefined;
    if (allocated !== applied.allocated) throw new SweepRequired("what is accepted is read from now on, or no longer");
    if (allocated && family.rowsAreFixed && changes.ancestor !== undefined) {
      throw new SweepRequired(
        "what is accepted may be otherwise on the other side of a fork, though the rows never change",
      );
    }
    const { rows, position } = session;
    const totals = facts.totals && totalsAsSums(facts.totals, accepted);
    const check = this.#totals;
    const shared = { rows, stored, applied, changes, facts, signal };
    const read = await (family.rowsAreFixed ? readAppended(shared) : readPartial({ ...shared, family, totals, check }));
    await session.verify();
    this.#releaseVerified(release);
    const warning = totals && this.#totals.check(read.sums, totals, position.hash);
    const snapshot: Snapshot = {
      ...summaryOf(session, facts, meaning, accepted),
      kind: "partial",
      differences: oneDifference(read),
      rowsRead: () => BigInt(read.rowsRead),
      warning: () => this.#warning(session, meaning, warning),
    };
    const onApplied = () => {
      const { count, stageNumber } = facts;
      const readOnceFrom = changes.commonCount;
      this.#applied = { position, stageNumber, count, readOnceFrom, allocated, sums: read.sums, allowsPartial: true };
      this.#forks.partialApplied(changes, { ...position, count });
      this.#schedule.partialApplied();
      // Some contracts mark rows when their stage changes, without a log for each row.
      if (stageNumber !== applied.stageNumber) this.#schedule.requireSweep();
    };
    this.#pending = { snapshot, onApplied };
    return snapshot;
  }

  async #sweepUnlessResting(session: ReadSession): Promise<Snapshot | undefined> {
    if (session.options.applied !== undefined && this.#schedule.rests()) return undefined;
    const millisBefore = session.nodeTime.millis;
    const [facts, release] = await Promise.all([session.facts(), this.#releaseOf(session)]);
    const meaning = meaningAt(session, facts, release);
    const accepted = await this.#allocations.begin(session, facts.count, meaning.stage);
    const allocated = accepted !== undefined;
    const audit = await this.#audit(session, facts, allocated);
    const { family, stored, signal } = session.options;
    const { rows, position } = session;
    const { count, stageNumber } = facts;
    const sweep = new Sweep({ rows, family, chunkSize: this.#chunkSize, stored, count, signal });
    let warning: string | undefined;
    const conclude = async () => {
      await session.verify();
      this.#releaseVerified(release);
      warning = this.#totalsWarning(position.hash, facts.totals, accepted, sweep.sums);
      await (audit?.conclude(signal) ?? this.#trust.review(signal)).catch(ignoreUnansweredReview);
    };
    const snapshot: Snapshot = {
      ...summaryOf(session, facts, meaning, accepted),
      kind: "sweep",
      differences: endingWithBlock(session, this.#options.heads, audited(sweep, audit, conclude)),
      rowsRead: () => sweep.rowsRead,
      warning: () => this.#warning(session, meaning, warning),
    };
    const onApplied = () => {
      const allowsPartial = family.rowsAreFixed || (facts.totals !== undefined && sweep.idsAreNamed);
      const { sums } = sweep;
      this.#applied = { position, stageNumber, count, readOnceFrom: count, allocated, sums, allowsPartial };
      this.#forks.sweepApplied({ ...position, count });
      this.#sweptAt = position;
      this.#schedule.applied(count, session.nodeTime.millis - millisBefore);
    };
    this.#pending = { snapshot, onApplied };
    return snapshot;
  }

  /** An audit of the logs since the applied state, if they can be read: the sweep shows whether they named every change. */
  async #audit(session: ReadSession, { count }: ContractFacts, allocated: boolean): Promise<LogAudit | undefined> {
    if (this.#options.family.rowsAreFixed || this.#trust.isDoubted) return undefined;
    await this.#checkForLogs(session, count);
    const { applied } = session.options;
    // Where what is accepted wasn't read before, rows differ without a log.
    if (applied?.allowsPartial !== true || applied.allocated !== allocated) return undefined;
    try {
      const logs = await session.logsSince(applied.position);
      // A read since then may have missed the log of a change that only this sweep finds.
      const readAgain = session.pastLogs(this.#sweptAt ?? applied.position);
      return new LogAudit(this.#trust, this.#options.family.logs, logs, readAgain);
    } catch (error) {
      ignoreUnreadableLogs(error);
      return undefined;
    }
  }

  /** Checks whether the contract logs at all. At the start nobody knows, and the next sweep may be far away. */
  async #checkForLogs(session: ReadSession, count: bigint): Promise<void> {
    if (this.#options.family.rowsAreFixed || count === 0n || this.#logChecksLeft === 0) return;
    const hasLogs = await session.hasLogs(count);
    this.#logChecksLeft = hasLogs ? 0 : this.#logChecksLeft - 1;
    if (hasLogs) this.#trust.prove();
  }

  /** Asks for the contract's version, and checks its sale's UUID. Errors are those of `PinnedBlock.call` and `checkSaleUuid`. */
  async #releaseOf(session: ReadSession): Promise<ReleaseNumber | undefined> {
    this.#isReleaseDue = true;
    const [release] = await Promise.all([session.release(), session.checkSaleUuid()]);
    return release;
  }

  #releaseVerified(release: ReleaseNumber | undefined): void {
    this.#release = release;
    this.#isReleaseDue = false;
  }

  /** The warnings for founders; undefined if there are none. */
  #warning(
    { options: { view } }: ReadSession,
    { warnings }: ContractMeaning,
    totals: string | undefined,
  ): string | undefined {
    const all = [totals, ...warnings, ...view.warnings, this.#trust.warning, this.#allocations.warning];
    return all.filter((text) => text !== undefined).join("; ") || undefined;
  }

  /** Compares the sums that the contract has totals for. Errors are those of `TotalsCheck.check`. */
  #totalsWarning(
    blockHash: string,
    committed: TokenSums | undefined,
    accepted: TokenSums | undefined,
    sums: TokenSums,
  ): string | undefined {
    const totals = totalsAsSums(committed, accepted);
    if (totals === undefined) return undefined;
    const compared = committed === undefined ? onlyAccepted(sums) : sums;
    return this.#totals.check(compared, totals, blockHash);
  }
}

function meaningAt(
  { options: { family, stored } }: ReadSession,
  { stageNumber }: ContractFacts,
  release: ReleaseNumber | undefined,
): ContractMeaning {
  return family.meaningOf(
    { ...(release === undefined ? {} : { release }), ...(stageNumber === undefined ? {} : { stageNumber }) },
    stored,
  );
}
