import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AcquireSaleLeaseResponseSchema,
  RenewSaleLeasesResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clientWith } from "../testing/stub-client.ts";
import { type HeldLease, SaleLeases } from "./sale-leases.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = "held" | "foreign" | "anew" | "unavailable" | "silent";

interface Call {
  readonly at: number;
  readonly timeoutMs: number | undefined;
  readonly holder: string | undefined;
  readonly lastsMs: number;
}

/** A service with these answers in order, and the last one for ever. A silent call ends with its timeout. */
function service(...answers: readonly Answer[]) {
  return serviceThat({}, ...answers);
}

/** @param renewsMany false for one of the version before, which has no RPC for many leases. */
function serviceThat({ renewsMany = true }, ...answers: readonly Answer[]) {
  const calls: Call[] = [];
  const renewals: string[][] = [];
  const beginning = performance.now();
  type Request = { readonly holder?: string; readonly duration?: object };
  const answer = async ({ holder, duration }: Request, timeoutMs: number | undefined): Promise<Answer> => {
    const next = answers[Math.min(calls.length, answers.length - 1)] ?? "silent";
    const lastsMs = durationMs({ seconds: 0n, nanos: 0, ...duration } as Parameters<typeof durationMs>[0]);
    calls.push({ at: performance.now() - beginning, timeoutMs, holder, lastsMs });
    if (next === "silent") await new Promise((resolve) => setTimeout(resolve, timeoutMs));
    if (next === "silent" || next === "unavailable") throw new ConnectError("scripted", Code.Unavailable);
    return next;
  };
  const client = clientWith({
    acquireSaleLease: async (request, options) => {
      const next = await answer(request as Request, options?.timeoutMs);
      return create(AcquireSaleLeaseResponseSchema, { acquired: next !== "foreign", epoch: next === "anew" ? 5n : 3n });
    },
    renewSaleLeases: async (request, options) => {
      if (!renewsMany) throw new ConnectError("no such method", Code.Unimplemented);
      const uuids = (request.leases ?? []).map(({ saleUuid = "" }) => saleUuid);
      renewals.push(uuids);
      const isHeld = (await answer(request as Request, options?.timeoutMs)) === "held";
      return create(RenewSaleLeasesResponseSchema, isHeld ? { renewed: uuids } : { lost: uuids });
    },
  });
  const stopping = new AbortController();
  let leases: SaleLeases | undefined;
  const acquire = (millis = 6_000, saleUuid = "sale") => {
    leases ??= new SaleLeases({ client, holder: "reader-1", durationMs: millis });
    return leases.acquire(saleUuid, stopping.signal);
  };
  return { calls, renewals, acquire, stopping, times: () => calls.map(({ at }) => at) };
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

describe("a sale's lease", () => {
  it("returns nothing if another process holds it, and doesn't ask again", async () => {
    const { calls, acquire } = service("foreign");
    expect(await acquire()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([{ at: 0, timeoutMs: 3_000, holder: "reader-1", lastsMs: 6_000 }]);
  });

  it("fails if the service doesn't answer", async () => {
    await expect(service("unavailable").acquire()).rejects.toMatchObject({ code: Code.Unavailable });
  });

  it("is renewed three times in its duration for as long as it is held", async () => {
    const { times, acquire } = service("held");
    const lease = await acquire();
    expect(lease?.epoch).toBe(3n);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times()).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    expect(lease?.lost.aborted).toBe(false);
    await lease?.release();
  });

  it("is lost at once when another process holds it, or held it in between", async () => {
    const { acquire } = service("held", "held", "foreign");
    expect(await lostAfter(await acquire())).toBe(4_000);
  });

  it("is renewed with all others of the process in one call", async () => {
    const { renewals, acquire } = service("held");
    const [first, second] = [await acquire(6_000, "a"), await acquire(6_000, "b")];
    await vi.advanceTimersByTimeAsync(1_000);
    const third = await acquire(6_000, "c");
    await vi.advanceTimersByTimeAsync(1_000);
    await first?.release();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(renewals).toEqual([
      ["a", "b", "c"],
      ["b", "c"],
    ]);
    await Promise.all([second?.release(), third?.release()]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(renewals).toHaveLength(2);
  });

  it("is renewed in several calls where they are many", async () => {
    const { renewals, acquire, stopping } = service("held");
    for (let sale = 0; sale < 1_001; sale += 1) await acquire(6_000, `${sale}`);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(renewals.map((uuids) => uuids.length)).toEqual([1_000, 1]);
    stopping.abort();
  });

  it("survives renewals that fail for less than its duration", async () => {
    const { times, acquire } = service("held", "unavailable", "unavailable", "held");
    const lease = await acquire();
    await vi.advanceTimersByTimeAsync(5_999);
    expect(lease?.lost.aborted).toBe(false);
    expect(times()).toEqual([0, 2_000, 4_000]);
  });

  it("survives one renewal without an answer", async () => {
    const { acquire } = service("held", "silent", "held");
    const lease = await acquire();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(lease?.lost.aborted).toBe(false);
    await lease?.release();
  });

  describe("at a service of the version before", () => {
    const old = (...answers: readonly Answer[]) => serviceThat({ renewsMany: false }, ...answers);

    it("is renewed by a call of its own", async () => {
      const { times, acquire } = old("held");
      const leases = [await acquire(6_000, "a"), await acquire(6_000, "b")];
      await vi.advanceTimersByTimeAsync(10_000);
      expect(times()).toEqual([0, 0, 2_000, 2_000, 4_000, 4_000, 6_000, 6_000, 8_000, 8_000, 10_000, 10_000]);
      for (const lease of leases) expect(lease?.lost.aborted).toBe(false);
      for (const lease of leases) await lease?.release();
    });

    it.each<Answer>(["foreign", "anew"])("is lost once another process holds or held it: %s", async (answer) => {
      const { acquire } = old("held", "held", answer);
      expect(await lostAfter(await acquire())).toBe(4_000);
    });

    it("survives a call that fails", async () => {
      const { acquire } = old("held", "unavailable", "held");
      const lease = await acquire();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(lease?.lost.aborted).toBe(false);
      await lease?.release();
    });
  });

  it.each<Answer>(["unavailable", "silent"])(
    "is lost when it ends for the database at the latest, where the service is %s",
    async (answer) => {
      const { acquire, calls } = service("held", answer);
      expect(await lostAfter(await acquire())).toBe(6_000);
      const count = calls.length;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(calls).toHaveLength(count);
    },
  );

  it("counts from the last request, not from its answer", async () => {
    const { acquire } = service("held", "held", "silent");
    expect(await lostAfter(await acquire())).toBe(8_000);
  });

  it("asks with whole milliseconds, as the protocol requires", async () => {
    const { calls, acquire } = service("held", "silent");
    await lostAfter(await acquire(1_001));
    expect(calls.length).toBeGreaterThan(1);
    for (const { timeoutMs } of calls) expect(Number.isInteger(timeoutMs)).toBe(true);
  });

  it("is over for a process that was paused until after its end, without another call", async () => {
    const { acquire, calls } = service("held");
    const lease = await acquire();
    await vi.advanceTimersByTimeAsync(1_999);
    // The clock goes on while nothing runs.
    const now = performance.now.bind(performance);
    const paused = vi.spyOn(performance, "now").mockImplementation(() => now() + 10_000);
    await vi.advanceTimersByTimeAsync(1);
    paused.mockRestore();
    expect(lease?.lost.aborted).toBe(true);
    expect(calls).toHaveLength(1);
  });

  it("is shortened by its release, and no longer renewed", async () => {
    const { calls, acquire } = service("held");
    const lease = await acquire();
    await lease?.release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.map(({ lastsMs }) => lastsMs)).toEqual([6_000, 1_000]);
    expect(lease?.lost.aborted).toBe(true);
  });

  it("isn't touched by a release after it was lost", async () => {
    const { calls, acquire } = service("held", "foreign");
    const lease = await acquire();
    await lostAfter(lease);
    await lease?.release();
    expect(calls).toHaveLength(2);
  });

  it("is no longer renewed when its process stops", async () => {
    const { calls, acquire, stopping } = service("held");
    const lease = await acquire();
    stopping.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(lease?.lost.aborted).toBe(true);
  });
});
