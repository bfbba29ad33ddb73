import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { FamilyLogs } from "../../evm-family.ts";
import type { Difference } from "../../source-snapshot.ts";
import { isMissingIn, type LogTrust, type MissingLogs } from "./log-trust.ts";
import type { ContractLogs } from "./logged-changes.ts";

/** Limit for the changed commitments that are kept for the audit. */
const MAX_UNNAMED = 1000;

/** Compares the differences that a sweep finds with the commitments that the logs since the last position name. */
export class LogAudit {
  readonly #trust: LogTrust;
  readonly #familyLogs: FamilyLogs;
  readonly #logs: ContractLogs;
  readonly #readAgain: MissingLogs["readAgain"];
  /** Changed commitments that no log named. */
  readonly #unnamed = new Set<string>();

  /** @param readAgain reads the logs since the sweep before this one, as far back as what it finds may have happened. */
  constructor(trust: LogTrust, familyLogs: FamilyLogs, logs: ContractLogs, readAgain: MissingLogs["readAgain"]) {
    this.#trust = trust;
    this.#familyLogs = familyLogs;
    this.#logs = logs;
    this.#readAgain = readAgain;
  }

  add({ upserts, removals }: Difference): void {
    // A removed commitment is known only by its ID, which is the one that logs name in contracts whose logs are used.
    for (const id of [...upserts.map((row) => this.#familyLogs.namedId(row)), ...removals]) {
      if (this.#unnamed.size < MAX_UNNAMED && !this.#logs.commitments.has(id)) this.#unnamed.add(id);
    }
  }

  /** Must be called once the whole sweep was consistent. Errors are those of `readAgain`. */
  async conclude(signal: AbortSignal): Promise<void> {
    // A log of unknown meaning may have named the change.
    if (this.#unnamed.size === 0 || this.#logs.hasUnknown) {
      if (this.#logs.commitments.size > 0) this.#trust.prove();
      return;
    }
    // Logs may come later than the state, and an earlier read may not have had them.
    const again = await this.#readAgain(this.#logs.urls, signal);
    if (again === undefined) return;
    if (!isMissingIn(again, this.#unnamed)) {
      if (again.commitments.size > 0) this.#trust.prove();
      return;
    }
    const urls = new Set<RpcUrl>([...this.#logs.urls, ...again.urls]);
    const isConfirmed = again.urls.size > 0 && [...again.urls].every((url) => !this.#logs.urls.has(url));
    this.#trust.doubt({ commitments: this.#unnamed, urls, readAgain: this.#readAgain }, isConfirmed);
  }
}
