import { positionOf } from "../../../chains/evm/block.ts";
import { readBlock } from "../../../chains/evm/read-block.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { appendedSince } from "./appended-rows.ts";
import type { AppliedState } from "./applied-state.ts";
import { type ContractChanges, changesSince } from "./contract-changes.ts";
import { type LogSource, logsAfter } from "./contract-logs.ts";
import { LogOverlap } from "./log-overlap.ts";
import { MAX_PARTIAL_ROWS } from "./read-partial.ts";
import type { ReadSession } from "./read-session.ts";
import { type RecentBlock, RecentBlocks } from "./recent-blocks.ts";
import { type ProofStep, RowProof } from "./row-proof.ts";
import { SweepRequired } from "./sweep-required.ts";

/** Blocks before a sweep whose logs are read afterwards, so that a re-organisation may reach back to them. */
const BLOCKS_BEFORE_SWEEP = 64n;

export interface ForksOptions extends Omit<LogSource, "family"> {
  readonly family: EvmFamily;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The memory that makes partial reads possible across a fork of the chain, and their proof. */
export class Forks {
  readonly #options: ForksOptions;
  readonly #recent = new RecentBlocks(MAX_PARTIAL_ROWS);
  readonly #overlap = new LogOverlap();
  readonly #proof: ForkProof;
  /** The position of the last sweep, until the logs before it are read. */
  #sweptAt: RecentBlock | undefined;

  constructor(options: ForksOptions) {
    this.#options = options;
    this.#proof = new ForkProof(options.now);
  }

  /** The changes since the applied state, whether or not its block was abandoned. Errors are those of `changesSince`. */
  async changes(session: ReadSession, applied: AppliedState): Promise<ContractChanges> {
    const changes = this.#options.family.rowsAreFixed
      ? await appendedSince(session, applied, this.#recent)
      : await changesSince(session, applied, this.#recent, this.#overlap);
    if (changes.ancestor === undefined || this.#proof.trustsForks) return changes;
    throw new SweepRequired("an earlier read across a fork was wrong");
  }

  /** Handles that a partial read up to a block was applied. */
  partialApplied({ ancestor, logs, missed }: ContractChanges, block: RecentBlock): void {
    if (ancestor !== undefined) {
      this.#overlap.forked(ancestor);
      this.#recent.cutAfter(ancestor);
      this.#proof.begin();
    }
    this.#recent.append(logs.blocks, block);
    this.#overlap.applied({ blocks: [...missed, ...logs.blocks], urls: logs.urls }, block);
  }

  /** Handles that a sweep at a block was applied. */
  sweepApplied(block: RecentBlock): void {
    this.#recent.restart(block);
    this.#overlap.restart(block.height);
    this.#proof.end();
    this.#sweptAt = block;
  }

  /**
   * Prepares for the next fork, and continues to prove the last one, for a fraction of a second.
   *
   * @param step makes the next step of the proof.
   * @param mustStop whether a read is waiting.
   * @returns false if the store differs from the contract. Errors are those of `ForkProof.run`, and SourceFault.
   */
  async continueProof(step: () => ProofStep, mustStop: () => boolean, signal: AbortSignal): Promise<boolean> {
    if (mustStop()) return true;
    await this.#readBeforeSweep(signal);
    return !this.#proof.isDue() || this.#proof.run(step(), mustStop);
  }

  async #readBeforeSweep(signal: AbortSignal): Promise<void> {
    const sweptAt = this.#sweptAt;
    this.#sweptAt = undefined;
    if (sweptAt === undefined || sweptAt.height <= 1n) return;
    const { height, hash } = sweptAt;
    const first = height > BLOCKS_BEFORE_SWEEP ? height - BLOCKS_BEFORE_SWEEP : 0n;
    const block = await readBlock(this.#options.endpoint, first, signal);
    if (block === undefined) return;
    if (this.#options.family.rowsAreFixed) return this.#recent.prepend(sweptAt, positionOf(block), []);
    const end = { number: height, hash, parentHash: "" };
    const logs = await logsAfter(this.#options, positionOf(block), end, signal).catch((error: unknown) => {
      if (!(error instanceof SweepRequired)) throw error;
    });
    if (logs !== undefined) this.#recent.prepend(sweptAt, positionOf(block), logs.blocks);
  }
}

/** Time of a run, which the next read of the sale may have to wait for. */
const RUN_MS = 200;
/** Rest after a run, as a multiple of its time. So nodes work on proofs at most a tenth of the time. */
const REST_PER_RUN = 9;

/**
 * Proves behind reads across a fork that the store equals the contract, in short runs. A read across a fork believes two
 * sets of logs, one of which can't be read again.
 */
export class ForkProof {
  readonly #now: () => number;
  #proof: RowProof | undefined;
  #restsUntil = 0;
  #hasFailed = false;

  /** @param now milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether forks may be read by their logs: not after a proof has failed. */
  get trustsForks(): boolean {
    return !this.#hasFailed;
  }

  /** Whether a run should follow now. */
  isDue(): boolean {
    return this.#proof !== undefined && this.#now() >= this.#restsUntil;
  }

  /** Starts a proof from the first row, after a read across a fork. */
  begin(): void {
    this.#proof = new RowProof();
  }

  /** Ends the proof, because a sweep has compared everything. */
  end(): void {
    this.#proof = undefined;
  }

  /**
   * Continues the proof.
   *
   * @param mustStop whether a read is waiting.
   * @returns false if the store differs from the contract. Errors are those of `RowProof.step`.
   */
  async run(step: ProofStep, mustStop: () => boolean): Promise<boolean> {
    const begin = this.#now();
    try {
      return await this.#steps(step, () => mustStop() || this.#now() - begin >= RUN_MS);
    } finally {
      const end = this.#now();
      this.#restsUntil = end + REST_PER_RUN * (end - begin);
    }
  }

  async #steps(step: ProofStep, mustStop: () => boolean): Promise<boolean> {
    while (this.#proof !== undefined && !mustStop()) {
      const outcome = await this.#proof.step(step);
      // Read once more, as a node's answer may be wrong.
      if (outcome === "differs" && (await this.#proof.step(step)) === "differs") {
        this.#hasFailed = true;
        this.end();
        return false;
      }
      if (outcome === "done") this.end();
    }
    return true;
  }
}
