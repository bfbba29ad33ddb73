import { startPeriodicWork } from "../concurrency/periodic-work.ts";
import type { Logger } from "../log/log.ts";

export interface ExpiryLoopOptions {
  /** Deletes what has expired. It ends early if the signal is aborted. */
  readonly deleteExpired: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** Deletes expired rows regularly. @returns a function that stops it after the current batch */
export function startExpiryLoop({ deleteExpired, intervalMs, logger }: ExpiryLoopOptions): () => Promise<void> {
  const onFailure = (error: unknown) => logger.warn({ err: error }, "expired rows stay for now");
  return startPeriodicWork({ work: deleteExpired, intervalMs, onFailure });
}
