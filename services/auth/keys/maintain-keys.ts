import { startPeriodicWork } from "../../../common/platform/concurrency/periodic-work.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { KeyRing } from "./key-ring.ts";

/** Well below the age at which a key ring would have to read its keys during a call. */
const REFRESH_INTERVAL_MS = 2_000;
const INTERVAL_MS = 10_000;

/**
 * Rotates keys when they are due, creates the first ones, and picks up what other replicas have rotated or removed.
 *
 * @returns a function that stops it
 */
export function maintainKeys(
  keyRings: readonly Pick<KeyRing, "maintain" | "refresh">[],
  logger: Logger,
): () => Promise<void> {
  const every = (intervalMs: number, work: "maintain" | "refresh") =>
    startPeriodicWork({
      work: async () => {
        for (const keyRing of keyRings) await keyRing[work]();
      },
      intervalMs,
      onFailure: (error) => logger.warn({ err: error }, "keys could not be maintained, trying again"),
    });
  const stops = [every(REFRESH_INTERVAL_MS, "refresh"), every(INTERVAL_MS, "maintain")];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
