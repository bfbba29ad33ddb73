import { type ProofStep, RowProof } from "./row-proof.ts";

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
