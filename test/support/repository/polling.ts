/** Time after which a test stops waiting for a condition. So long that it ends only what hangs, also on a slow, busy machine. */
export const POLL_TIMEOUT_MS = 100_000;

/** Options of `expect.poll` and `vi.waitFor` with this timeout. */
export const SOON = { timeout: POLL_TIMEOUT_MS, interval: 20 } as const;
