import type { ContractLogs } from "../../reference/evm/contract-logs.ts";
import type { Difference } from "../../source-snapshot.ts";
import type { LogTrust } from "./log-trust.ts";

/** Limit for the changed entities that are kept for the audit. */
const MAX_UNNAMED = 1000;

/** Compares the differences that a sweep finds with the entities that the logs since the last position name. */
export class LogAudit {
  readonly #trust: LogTrust;
  readonly #logs: ContractLogs;
  readonly #readAgain: () => Promise<ContractLogs>;
  /** Changed entities that no log named. */
  readonly #unnamed = new Set<string>();

  /** @param readAgain reads the same logs again. */
  constructor(trust: LogTrust, logs: ContractLogs, readAgain: () => Promise<ContractLogs>) {
    this.#trust = trust;
    this.#logs = logs;
    this.#readAgain = readAgain;
  }

  add({ upserts, removals }: Difference): void {
    // A removed commitment is known only by its ID, which begins with the entity ID in contracts whose logs are used.
    const changed = [...upserts.map(({ entityId }) => entityId), ...removals.map((id) => id.slice(0, 32))];
    for (const entity of changed) {
      if (this.#unnamed.size < MAX_UNNAMED && !this.#logs.entities.has(entity)) this.#unnamed.add(entity);
    }
  }

  /** Must be called once the whole sweep was consistent. Errors are those of `readAgain`. */
  async conclude(): Promise<void> {
    // A log of unknown meaning may have named the change.
    if (this.#unnamed.size === 0 || this.#logs.hasUnknown) {
      if (this.#logs.entities.size > 0) this.#trust.prove();
      return;
    }
    // Logs may come later than the state, so they are read again before the trust is lost for good.
    const { entities, hasUnknown } = await this.#readAgain();
    if (!hasUnknown && [...this.#unnamed].some((entity) => !entities.has(entity))) this.#trust.lose();
  }
}
