import { setTimeout as wait } from "node:timers/promises";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { CommitmentsClient } from "../apply/commitments-client.ts";

/** What the commitments service takes at least. */
const SHORTEST_LEASE_MS = 1_000;

export interface LeaseOptions {
  readonly client: CommitmentsClient;
  readonly saleUuid: string;
  /** Unlike any other process's. */
  readonly holder: string;
  /** How long the lease lasts without being renewed; another process takes over after that. In milliseconds. */
  readonly durationMs: number;
}

/** The right to be the one reader of a sale. */
export interface HeldLease {
  readonly epoch: bigint;
  /** Aborted when the lease may be another's: what is under way should end, though it could do no harm. */
  readonly lost: AbortSignal;
  /** Stops the renewal and cuts the lease to its shortest, so that another process need not wait for its end. */
  release(): Promise<void>;
}

/** Tries to get the lease; nothing where another process holds it. Held, it is renewed three times as often as needed. */
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
    // Nothing is lost where it fails: the lease then ends by itself.
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
    // The protocol knows whole milliseconds only.
    timeoutMs: Math.ceil(timeoutMs),
  });
  return acquired ? epoch : undefined;
}

/**
 * Ends when the lease is another's, or could not be renewed for as long as it lasts, or is given back. It lasts from when
 * it was asked for: the database can't have counted from before that.
 */
async function renew(options: LeaseOptions, epoch: bigint, askedAt: number, signal: AbortSignal): Promise<void> {
  const { durationMs } = options;
  let endsAt = askedAt + durationMs;
  for (;;) {
    const leftMs = endsAt - performance.now();
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
