/** How long a test waits for what must come. It only ends what hangs, also on a slow machine that has other work. */
export const PATIENCE_MS = 100_000;

/** The same for `expect.poll` and `vi.waitFor`. */
export const SOON = { timeout: PATIENCE_MS, interval: 20 } as const;
