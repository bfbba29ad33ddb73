import { setTimeout as wait } from "node:timers/promises";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { SHORTEST_LEASE_MS } from "../base/lifetimes.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";

export interface LeaseOptions {
  readonly client: CommitmentsClient;
  readonly saleUuid: string;
  /** Name of this process, unlike that of any other. */
  readonly holder: string;
  /** Duration of the lease without renewal, in milliseconds. After that another process can take over. */
  readonly durationMs: number;
}

/** The right to be the one reader of a sale. */
export interface HeldLease {
  readonly epoch: bigint;
  /** Aborted when another process may have the lease. Work under it should end; its epoch makes it harmless. */
  readonly lost: AbortSignal;
  /** Stops the renewal and shortens the lease to its minimum, so that another process can take over soon. */
  release(): Promise<void>;
}

/**
 * Tries to get the lease, and then renews it three times in its duration.
 *
 * @returns undefined if another process holds it.
 */
export async function acquireLease(options: LeaseOptions, signal: AbortSignal): Promise<HeldLease | undefined> {
  const askedAt = performance.now();
  const epoch = await tryAcquire(options, options.durationMs / 2, signal);
  if (epoch === undefined) return undefined;
  const releasing = new AbortController();
  const lost = new AbortController();
  void renew(options, epoch, askedAt, AbortSignal.any([signal, releasing.signal])).then(() => lost.abort());
  const release = async () => {
    releasing.abort();
    if (lost.signal.aborted) return;
    const shortest = { ...options, durationMs: SHORTEST_LEASE_MS };
    // If this fails, the lease ends by itself.
    await tryAcquire(shortest, SHORTEST_LEASE_MS, new AbortController().signal).catch(() => undefined);
  };
  return { epoch, lost: lost.signal, release };
}

async function tryAcquire(
  { client, saleUuid, holder, durationMs }: LeaseOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const request = { saleUuid, holder, duration: durationFromMs(durationMs) };
  const { acquired, epoch } = await client.commitments.acquireSaleLease(request, {
    signal,
    // The protocol has whole milliseconds only.
    timeoutMs: Math.ceil(timeoutMs),
  });
  return acquired ? epoch : undefined;
}

/**
 * Renews the lease until another process holds it, its renewals have failed for its whole duration, or the signal is
 * aborted. The duration is counted from the request, because the database can't have started earlier.
 */
async function renew(options: LeaseOptions, epoch: bigint, askedAt: number, signal: AbortSignal): Promise<void> {
  const { durationMs } = options;
  let endsAt = askedAt + durationMs;
  for (;;) {
    const leftMs = endsAt - performance.now();
    // A process that was paused finds its lease over.
    if (leftMs <= 0) return;
    await wait(Math.min(durationMs / 3, leftMs), undefined, { signal }).catch(() => undefined);
    const renewedAt = performance.now();
    if (signal.aborted || renewedAt >= endsAt) return;
    const timeoutMs = Math.min(durationMs / 2, endsAt - renewedAt);
    const answer = await tryAcquire(options, timeoutMs, signal).catch(() => "unknown" as const);
    if (answer === "unknown") continue;
    if (answer !== epoch) return;
    endsAt = renewedAt + durationMs;
  }
}
