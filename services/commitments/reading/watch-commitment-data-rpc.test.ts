import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { callSignal, withCallSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { parseResumeToken, resumeToken, type SaleVersion } from "./resume-token.ts";
import { SaleWatch } from "./sale-watch.ts";
import { watchStates } from "./watch-commitment-data-rpc.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const version = (revision: bigint, generation = "0".repeat(16)): SaleVersion => ({ generation, revision });

/** A watch of a sale that has a state now. It is never started, so it polls only when a test has it poll. */
function watchOf(state: () => SaleVersion): SaleWatch<SaleVersion> {
  return new SaleWatch({
    bus: new LocalBus(),
    readState: async () => state(),
    readVersions: async () => [{ saleUuid: SALE, ...state() }],
    logger: pino({ level: "silent" }),
    pollMs: 60_000,
    maxWatchers: 2,
  });
}

describe("a watch", () => {
  it("sends heartbeats with the token of the last state while nothing changes", async () => {
    const ending = new AbortController();
    const watch = watchOf(() => version(7n));
    const steps = watchStates(watch, { saleUuid: SALE, seen: undefined, heartbeatMs: 1, signal: ending.signal });
    expect((await steps.next()).value).toEqual({ state: version(7n), skippedRevisions: 0n, version: version(7n) });
    for (let count = 0; count < 3; count++) {
      expect((await steps.next()).value).toEqual({ state: undefined, skippedRevisions: 0n, version: version(7n) });
    }
    ending.abort();
    await expect(steps.next()).rejects.toThrow();
  });

  it("gives a slow watcher only the latest state, and counts those that it skipped", async () => {
    let state = version(7n);
    const watch = watchOf(() => state);
    const { signal } = new AbortController();
    const steps = watchStates(watch, { saleUuid: SALE, seen: undefined, heartbeatMs: 60_000, signal });
    await steps.next();
    for (const revision of [8n, 9n, 10n]) {
      state = version(revision);
      await watch.poll();
    }
    expect((await steps.next()).value).toEqual({ state, skippedRevisions: 2n, version: state });
  });

  it("goes over to another generation, in which revisions may be lower", async () => {
    let state = version(7n);
    const watch = watchOf(() => state);
    const { signal } = new AbortController();
    const steps = watchStates(watch, { saleUuid: SALE, seen: undefined, heartbeatMs: 60_000, signal });
    await steps.next();
    state = version(3n, "f".repeat(16));
    const next = steps.next();
    await watch.poll();
    expect((await next).value).toEqual({ state, skippedRevisions: 0n, version: state });
  });

  it("believes a watcher that another process has sent a newer state", async () => {
    let state = version(7n);
    const watch = watchOf(() => state);
    const { signal } = new AbortController();
    const options = { saleUuid: SALE, heartbeatMs: 60_000, signal };
    await watchStates(watch, { ...options, seen: undefined }).next();
    state = version(9n);
    const resumed = watchStates(watch, { ...options, seen: version(8n) });
    expect((await resumed.next()).value).toEqual({ state, skippedRevisions: 0n, version: state });
  });

  it("reads a state outside of the call that happens to be the first, as other watchers wait for it too", async () => {
    let seen: AbortSignal | undefined = AbortSignal.abort();
    const watch = watchOf(() => {
      seen = callSignal();
      return version(7n);
    });
    const { signal } = new AbortController();
    const options = { saleUuid: SALE, seen: undefined, heartbeatMs: 60_000, signal };
    await withCallSignal(signal, () => watchStates(watch, options).next());
    expect(seen).toBeUndefined();
  });
});

describe("a resume token", () => {
  it("is read as it was written", () => {
    const written = version(9_223_372_036_854_775_807n, "00ff".repeat(4));
    expect(parseResumeToken(resumeToken(written))).toEqual(written);
    expect(parseResumeToken("")).toBeUndefined();
  });

  it.each(["x", "00ff00ff00ff00ff", "00ff00ff00ff00ff-", "00ff00ff00ff00ff-01", "00FF00FF00FF00FF-1"])(
    "can't be %s",
    (token) => {
      expect(() => parseResumeToken(token)).toThrow("resume_token");
    },
  );
});
