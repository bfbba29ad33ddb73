import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";

/** After these nobody knows whether the call was carried out. */
const UNKNOWN_OUTCOMES = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Canceled, Code.Unknown]);
const PAUSE_MS = 25;
const MAX_ATTEMPTS = 1_200;

/**
 * Sends a call until its outcome is known.
 *
 * @throws the answer, where it is an error; the last failure when no answer comes.
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
