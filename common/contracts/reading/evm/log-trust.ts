import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { ContractLogs } from "./logged-changes.ts";

/** Rows that changed within some blocks without a log that names them, as far as nodes said. */
export interface MissingLogs {
  readonly commitments: ReadonlySet<string>;
  /** URLs that have no log of them. */
  readonly urls: ReadonlySet<RpcUrl>;
  /** Reads the logs of the same blocks again, from other URLs where there are some; undefined if the blocks left the chain. */
  readAgain(avoided: ReadonlySet<RpcUrl>, signal: AbortSignal): Promise<ContractLogs | undefined>;
}

/**
 * Whether a contract's logs are trusted to name every commitment that changes. They are once the contract is seen to log. A sweep that
 * finds a change without a log ends that: every read is a sweep then. As an answer without logs may be a node's fault, only a second URL,
 * or the same at another sweep, makes it the contract's; and the logs of those blocks are asked for again with each sweep, until they
 * have what was missing.
 */
export class LogTrust {
  #isProven = false;
  #missing: MissingLogs | undefined;
  #isConfirmed = false;

  get isProven(): boolean {
    return this.#isProven && this.#missing === undefined;
  }

  /** Whether logs are missing, so that `review` is to be called by each sweep. */
  get isDoubted(): boolean {
    return this.#missing !== undefined;
  }

  /** A text for founders; undefined unless two URLs, or two sweeps, have found the same. */
  get warning(): string | undefined {
    if (!this.#isConfirmed) return undefined;
    return "a commitment changed without a log of the contract, so the whole contract is now read each time, less often";
  }

  /** Handles that the contract was seen to log changes of rows. */
  prove(): void {
    this.#isProven = true;
  }

  /** Handles that a sweep found changes without logs. @param isConfirmed whether two URLs say so. */
  doubt(missing: MissingLogs, isConfirmed: boolean): void {
    this.#missing = missing;
    this.#isConfirmed = isConfirmed;
  }

  /** Asks again for what was missing. Must be called once a later sweep was consistent. Errors are those of `readAgain`. */
  async review(signal: AbortSignal): Promise<void> {
    const missing = this.#missing;
    if (missing === undefined) return;
    const logs = await missing.readAgain(missing.urls, signal);
    this.#isConfirmed = logs !== undefined && isMissingIn(logs, missing.commitments);
    if (this.#isConfirmed) return;
    this.#missing = undefined;
    if (logs !== undefined && logs.commitments.size > 0) this.prove();
  }
}

/** Whether logs lack one of the commitments. A log of unknown meaning may name any. */
export function isMissingIn(logs: ContractLogs, commitments: ReadonlySet<string>): boolean {
  return !logs.hasUnknown && [...commitments].some((id) => !logs.commitments.has(id));
}
