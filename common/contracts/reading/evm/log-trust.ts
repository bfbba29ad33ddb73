/**
 * Whether a contract's logs are trusted to name every commitment that changes. They are once the contract is seen to log,
 * and never again after a sweep has found a change that no log named.
 */
export class LogTrust {
  #state: "unproven" | "proven" | "lost" = "unproven";

  get isProven(): boolean {
    return this.#state === "proven";
  }

  get isLost(): boolean {
    return this.#state === "lost";
  }

  /** A text for founders; undefined unless trust was lost. */
  get warning(): string | undefined {
    if (!this.isLost) return undefined;
    return "a commitment changed without a log of the contract, so the whole contract is now read each time, less often";
  }

  /** Handles that the contract was seen to log changes of rows. */
  prove(): void {
    if (this.#state === "unproven") this.#state = "proven";
  }

  lose(): void {
    this.#state = "lost";
  }
}
