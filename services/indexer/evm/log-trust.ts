import type { Difference } from "../source-reader.ts";
import type { ContractLogs } from "./contract-logs.ts";

/**
 * Whether the logs of a contract may be believed to name every commitment that changes. Not before it is seen to log
 * at all; never again after a sweep has found a change that no log had named.
 */
export class LogTrust {
  #state: "unproven" | "proven" | "lost" = "unproven";

  get isProven(): boolean {
    return this.#state === "proven";
  }

  get isLost(): boolean {
    return this.#state === "lost";
  }

  /** For a founder; undefined unless trust was lost. */
  get warning(): string | undefined {
    if (!this.isLost) return undefined;
    return "a commitment changed without a log of the contract, so that it is now read as a whole each time, less often";
  }

  /** The contract was seen to log changes of rows. */
  prove(): void {
    if (this.#state === "unproven") this.#state = "proven";
  }

  lose(): void {
    this.#state = "lost";
  }
}

/** Compares what a sweep finds with what the logs since the last position have named. */
export class LogAudit {
  readonly #trust: LogTrust;
  readonly #logs: ContractLogs;
  #missed = false;

  constructor(trust: LogTrust, logs: ContractLogs) {
    this.#trust = trust;
    this.#logs = logs;
  }

  note({ upserts, removals }: Difference): void {
    const { entities } = this.#logs;
    this.#missed ||= upserts.some(({ entityId }) => !entities.has(entityId));
    // Of a commitment that is gone only the ID is known, which begins with the entity where logs can be used at all.
    this.#missed ||= removals.some((id) => !entities.has(id.slice(0, 32)));
  }

  /** To be called when the whole sweep was consistent. */
  conclude(): void {
    // A log of unknown meaning may have named the change.
    if (this.#missed && !this.#logs.hasUnknown) this.#trust.lose();
    else if (this.#logs.entities.size > 0) this.#trust.prove();
  }
}
