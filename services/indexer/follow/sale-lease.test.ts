import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AcquireSaleLeaseResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clientWith } from "../testing/stub-client.ts";
import { acquireLease, type HeldLease } from "./sale-lease.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HELD = { acquired: true, epoch: 3n };
const FOREIGN = { acquired: false, epoch: 4n };
type Answer = typeof HELD | "unavailable" | "silent";

/** A service with these answers in order, and the last one for ever. A silent call ends with its timeout. */
function service(...answers: readonly Answer[]) {
  const calls: { at: number; timeoutMs: number | undefined; holder: string | undefined; lastsMs: number }[] = [];
  const beginning = performance.now();
  const client = clientWith({
    acquireSaleLease: async ({ holder, duration }, options) => {
      const answer = answers[Math.min(calls.length, answers.length - 1)] ?? "silent";
      const lastsMs = durationMs({ seconds: 0n, nanos: 0, ...duration } as Parameters<typeof durationMs>[0]);
      const timeoutMs = options?.timeoutMs;
      calls.push({ at: performance.now() - beginning, timeoutMs, holder, lastsMs });
      if (answer === "silent") await new Promise((resolve) => setTimeout(resolve, timeoutMs));
      if (typeof answer === "string") throw new ConnectError("scripted", Code.Unavailable);
      return create(AcquireSaleLeaseResponseSchema, answer);
    },
  });
  const stopping = new AbortController();
  const acquire = (millis = 6_000) =>
    acquireLease({ client, saleUuid: "sale", holder: "reader-1", durationMs: millis }, stopping.signal);
  return { calls, acquire, stopping, times: () => calls.map(({ at }) => at) };
}

/** Time until the lease counts as lost, in milliseconds. */
async function lostAfter(lease: HeldLease | undefined): Promise<number> {
  const begin = performance.now();
  const lost = new Promise<number>((resolve) => {
    lease?.lost.addEventListener("abort", () => resolve(performance.now() - begin));
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return lost;
}

describe("acquireLease", () => {
  it("returns nothing if another process holds it, and doesn't ask again", async () => {
    const { calls, acquire } = service(FOREIGN);
    expect(await acquire()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([{ at: 0, timeoutMs: 3_000, holder: "reader-1", lastsMs: 6_000 }]);
  });

  it("fails if the service doesn't answer", async () => {
    await expect(service("unavailable").acquire()).rejects.toMatchObject({ code: Code.Unavailable });
  });

  it("is renewed three times in its duration for as long as it is held", async () => {
    const { times, acquire } = service(HELD);
    const lease = await acquire();
    expect(lease?.epoch).toBe(3n);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times()).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    expect(lease?.lost.aborted).toBe(false);
    await lease?.release();
  });

  it.each([
    ["another holds it", FOREIGN],
    ["another held it in between", { acquired: true, epoch: 5n }],
  ])("is lost at once when %s", async (_, answer) => {
    const { acquire } = service(HELD, HELD, answer);
    expect(await lostAfter(await acquire())).toBe(4_000);
  });

  it("survives renewals that fail for less than its duration", async () => {
    const { times, acquire } = service(HELD, "unavailable", "unavailable", HELD);
    const lease = await acquire();
    await vi.advanceTimersByTimeAsync(5_999);
    expect(lease?.lost.aborted).toBe(false);
    expect(times()).toEqual([0, 2_000, 4_000]);
  });

  it.each<Answer>(["unavailable", "silent"])(
    "is lost when it ends for the database at the latest, where the service is %s",
    async (answer) => {
      const { acquire, calls } = service(HELD, answer);
      expect(await lostAfter(await acquire())).toBe(6_000);
      const count = calls.length;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(calls).toHaveLength(count);
    },
  );

  it("counts from the last request, not from its answer", async () => {
    const { acquire } = service(HELD, HELD, "silent");
    expect(await lostAfter(await acquire())).toBe(8_000);
  });

  it("asks with whole milliseconds, as the protocol requires", async () => {
    const { calls, acquire } = service(HELD, "silent");
    await lostAfter(await acquire(1_001));
    expect(calls.length).toBeGreaterThan(1);
    for (const { timeoutMs } of calls) expect(Number.isInteger(timeoutMs)).toBe(true);
  });

  it("is over without a wait for a process that was paused until after its end", async () => {
    const { acquire } = service(HELD, "unavailable");
    const waits: number[] = [];
    // Put back before the fake timers end: what is put back later outlives them.
    const fake = globalThis.setTimeout;
    globalThis.setTimeout = Object.assign((run: () => void, millis?: number) => {
      waits.push(millis ?? 0);
      return fake(run, millis);
    }, fake);
    const lease = await acquire();
    await vi.advanceTimersByTimeAsync(1_999);
    // The clock goes on while nothing runs: the next renewal fails 10 s later.
    const now = performance.now.bind(performance);
    const paused = vi
      .spyOn(performance, "now")
      .mockImplementationOnce(now)
      .mockImplementation(() => now() + 10_000);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(1);
    paused.mockRestore();
    globalThis.setTimeout = fake;
    expect(lease?.lost.aborted).toBe(true);
    expect(waits.filter((millis) => millis < 0)).toEqual([]);
  });

  it("is shortened by its release, and no longer renewed", async () => {
    const { calls, acquire } = service(HELD);
    const lease = await acquire();
    await lease?.release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.map(({ lastsMs }) => lastsMs)).toEqual([6_000, 1_000]);
    expect(lease?.lost.aborted).toBe(true);
  });

  it("isn't touched by a release after it was lost", async () => {
    const { calls, acquire } = service(HELD, FOREIGN);
    const lease = await acquire();
    await lostAfter(lease);
    await lease?.release();
    expect(calls).toHaveLength(2);
  });

  it("is no longer renewed when its process stops", async () => {
    const { calls, acquire, stopping } = service(HELD);
    const lease = await acquire();
    stopping.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(lease?.lost.aborted).toBe(true);
  });
});
