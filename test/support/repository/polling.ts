import { setTimeout as wait } from "node:timers/promises";

/** Time after which a test stops waiting for a condition. So long that it ends only what hangs, also on a slow, busy machine. */
export const POLL_TIMEOUT_MS = 100_000;

/** Options of `expect.poll` and `vi.waitFor` with this timeout. */
export const SOON = { timeout: POLL_TIMEOUT_MS, interval: 20 } as const;
/** Waits, at most `POLL_TIMEOUT_MS`, until a condition holds. Needs no test runner, so that benchmarks and scripts can use it. */
export async function until(holds: () => Promise<boolean>, intervalMs = 100): Promise<void> {
  await untilDefined(async () => (await holds()) || undefined, intervalMs);
}

/** Waits, at most `POLL_TIMEOUT_MS`, until there is a value, and returns it. */
export async function untilDefined<Value>(
  read: () => Promise<Value | undefined>,
  intervalMs: number = SOON.interval,
): Promise<Value> {
  const deadline = performance.now() + POLL_TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`the condition didn't hold within ${POLL_TIMEOUT_MS} ms`);
    await wait(intervalMs);
  }
}
