import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";

/** Codes after which it is unknown whether the call was carried out. */
const UNKNOWN_OUTCOMES = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Canceled, Code.Unknown]);
const PAUSE_MS = 25;
/** Attempts that together take longer than any restart, also on a slow, busy machine. */
const MAX_ATTEMPTS = 4_800;

/**
 * Repeats a call until its outcome is known.
 *
 * @throws the error with which the call was answered, or the last failure if there is no answer
 */
export async function persist<Result>(
  send: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { result: await send(), attempts };
    } catch (error) {
      if (!UNKNOWN_OUTCOMES.has(ConnectError.from(error).code) || attempts === MAX_ATTEMPTS) throw error;
    }
    await delay(PAUSE_MS);
  }
}
