import type { Difference } from "../../source/source-reader.ts";
import type { ContractLogs } from "../contract/contract-logs.ts";

/** More of them tell no more. */
const MAX_UNNAMED = 1000;

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
  readonly #askAgain: () => Promise<ContractLogs>;
  /** Entities whose change no log named. */
  readonly #unnamed = new Set<string>();

  /** @param askAgain asks a node for the same logs anew. */
  constructor(trust: LogTrust, logs: ContractLogs, askAgain: () => Promise<ContractLogs>) {
    this.#trust = trust;
    this.#logs = logs;
    this.#askAgain = askAgain;
  }

  note({ upserts, removals }: Difference): void {
    // Of a commitment that is gone only the ID is known, which begins with the entity where logs can be used at all.
    const changed = [...upserts.map(({ entityId }) => entityId), ...removals.map((id) => id.slice(0, 32))];
    for (const entity of changed) {
      if (this.#unnamed.size < MAX_UNNAMED && !this.#logs.entities.has(entity)) this.#unnamed.add(entity);
    }
  }

  /** To be called when the whole sweep was consistent. Errors of `askAgain`. */
  async conclude(): Promise<void> {
    // A log of unknown meaning may have named the change.
    if (this.#unnamed.size === 0 || this.#logs.hasUnknown) {
      if (this.#logs.entities.size > 0) this.#trust.prove();
      return;
    }
    // Logs may come later than the state; trust that is lost doesn't return.
    const { entities, hasUnknown } = await this.#askAgain();
    if (!hasUnknown && [...this.#unnamed].some((entity) => !entities.has(entity))) this.#trust.lose();
  }
}
