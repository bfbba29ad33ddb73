import type { Logger } from "../shared/log.ts";
import { deleteExpired, type Retention } from "./store/expiry.ts";
import type { CommitmentsDatabase } from "./store/schema.ts";

export interface ExpiryLoopOptions {
  readonly database: CommitmentsDatabase;
  readonly retention: Retention;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/** Deletes expired rows now and again. @returns what stops it, after the batch that is under way. */
export function startExpiryLoop({ database, retention, intervalMs, logger }: ExpiryLoopOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running = Promise.resolve();
  let busy = false;
  const run = async () => {
    busy = true;
    await deleteExpired(database, retention, stopping.signal).catch((error) =>
      logger.warn({ err: error }, "expired rows stay for now"),
    );
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
