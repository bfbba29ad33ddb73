import type { Logger } from "../log/log.ts";

export interface ExpiryLoopOptions {
  /** Deletes what has expired. It ends early if the signal is aborted. */
  readonly deleteExpired: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** Deletes expired rows regularly. @returns a function that stops it after the current batch */
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
