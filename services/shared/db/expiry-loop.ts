import type { Logger } from "../log/log.ts";

export interface ExpiryLoopOptions {
  /** Ends early once the signal has aborted. */
  readonly deleteExpired: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** Deletes expired rows now and again. @returns what stops it, after the batch that is under way. */
export function startExpiryLoop({ deleteExpired, intervalMs, logger }: ExpiryLoopOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let busy = false;
  const run = async () => {
    busy = true;
    await deleteExpired(stopping.signal).catch((error) => logger.warn({ err: error }, "expired rows stay for now"));
    busy = false;
  };
  const timer = setInterval(() => {
    if (!busy) running = run();
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
