import { startPeriodicWork } from "../../shared/concurrency/periodic-work.ts";
import type { Logger } from "../../shared/log/log.ts";
import type { KeyRing } from "./key-ring.ts";

/** Well below the age at which a key ring would have to read its keys during a call. */
const INTERVAL_MS = 10_000;

/** Rotates keys when they are due, creates the first ones, and picks up rotations of other replicas. @returns a function that stops it. */
export function maintainKeys(keyRings: readonly Pick<KeyRing, "maintain">[], logger: Logger): () => Promise<void> {
  return startPeriodicWork({
    work: async () => {
      for (const keyRing of keyRings) await keyRing.maintain();
    },
    intervalMs: INTERVAL_MS,
    onFailure: (error) => logger.warn({ err: error }, "keys could not be maintained, trying again"),
  });
}
