export interface PeriodicWorkOptions {
  /** Does the work once. It ends early if the signal is aborted. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly intervalMs: number;
  /** Called with a failure; the work is done again after the interval. */
  readonly onFailure: (error: unknown) => void;
}

/** Does work at regular intervals, never twice at once. @returns a function that stops it and waits for work under way */
export function startPeriodicWork({ work, intervalMs, onFailure }: PeriodicWorkOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let busy = false;
  const run = async () => {
    busy = true;
    await work(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) onFailure(error);
    });
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
