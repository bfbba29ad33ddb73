import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { abortedByAll } from "../../../common/platform/concurrency/aborted-by-all.ts";
import { InterruptibleWait } from "../../../common/platform/concurrency/interruptible-wait.ts";
import { untilSharedMoment } from "../../../common/platform/concurrency/shared-moments.ts";
import { SHORTEST_LEASE_MS } from "../base/lifetimes.ts";
import { type LeaseOptions, renewLeases } from "./lease-renewal.ts";

/** Most leases in a call: limit of the RPC. */
const MAX_LEASES_PER_CALL = 1_000;

/** The right to be the one reader of a sale. */
export interface HeldLease {
  readonly epoch: bigint;
  /** Aborted when another process may have the lease. Work under it should end; its epoch makes it harmless. */
  readonly lost: AbortSignal;
  /** Stops the renewal and shortens the lease to its minimum, so that another process can take over soon. */
  release(): Promise<void>;
}

/** A lease that is renewed. */
interface RenewedLease {
  readonly saleUuid: string;
  readonly epoch: bigint;
  /** End by the monotonic clock of this process, counted from a request, because the database can't have started earlier. */
  endsAt: number;
  /** Loses the lease at its end. */
  expiry?: NodeJS.Timeout;
  readonly lost: AbortController;
}

/** The leases of a process, which are all renewed in one call, three times in their duration. */
export class SaleLeases {
  readonly #options: LeaseOptions;
  readonly #held = new Set<RenewedLease>();
  /** The wait between two renewals, ended once there is no lease. */
  readonly #pause = new InterruptibleWait();
  #renewing = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Tries to get the lease of a sale, and then renews it until another process holds it, its renewals have failed for its whole duration,
   * or the signal is aborted.
   *
   * @returns undefined if another process holds it.
   */
  async acquire(saleUuid: string, signal: AbortSignal): Promise<HeldLease | undefined> {
    const { durationMs } = this.#options;
    const askedAt = performance.now();
    const epoch = await this.#tryAcquire(saleUuid, durationMs, durationMs / 2, signal);
    if (epoch === undefined) return undefined;
    const lost = new AbortController();
    const lease = { saleUuid, epoch, endsAt: askedAt + durationMs, lost };
    const lose = () => this.#lose(lease);
    signal.addEventListener("abort", lose, { once: true });
    lost.signal.addEventListener("abort", () => signal.removeEventListener("abort", lose), { once: true });
    if (signal.aborted) lose();
    else this.#hold(lease);
    return { epoch, lost: lost.signal, release: () => this.#release(lease) };
  }

  #hold(lease: RenewedLease): void {
    this.#held.add(lease);
    this.#expireInTime(lease);
    if (this.#renewing) return;
    this.#renewing = true;
    void this.#renewAll();
  }

  #expireInTime(lease: RenewedLease): void {
    clearTimeout(lease.expiry);
    lease.expiry = setTimeout(() => this.#lose(lease), Math.max(0, lease.endsAt - performance.now()));
  }

  #lose(lease: RenewedLease): void {
    clearTimeout(lease.expiry);
    this.#held.delete(lease);
    if (this.#held.size === 0) this.#pause.end();
    lease.lost.abort();
  }

  async #release(lease: RenewedLease): Promise<void> {
    if (lease.lost.signal.aborted) return;
    this.#lose(lease);
    const { signal } = new AbortController();
    // If this fails, the lease ends by itself.
    await this.#tryAcquire(lease.saleUuid, SHORTEST_LEASE_MS, SHORTEST_LEASE_MS, signal).catch(() => undefined);
  }

  async #renewAll(): Promise<void> {
    const { signal } = new AbortController();
    let now = performance.now();
    while (this.#held.size > 0) {
      // A renewal that got no answer delays no other.
      const next = now + untilSharedMoment(this.#options.durationMs / 3, now);
      await this.#pause.wait(Math.max(0, next - performance.now()), signal);
      now = performance.now();
      // A process that was paused finds its leases over.
      for (const lease of this.#held) if (lease.endsAt <= now) this.#lose(lease);
      const leases = [...this.#held];
      const calls: Promise<void>[] = [];
      for (let from = 0; from < leases.length; from += MAX_LEASES_PER_CALL) {
        calls.push(this.#renew(leases.slice(from, from + MAX_LEASES_PER_CALL)));
      }
      await Promise.all(calls);
    }
    this.#renewing = false;
  }

  /** A lease that a failed call leaves out is asked for with the next one, unless it is over. */
  async #renew(leases: readonly RenewedLease[]): Promise<void> {
    const { durationMs } = this.#options;
    const askedAt = performance.now();
    using all = abortedByAll(leases.map(({ lost }) => lost.signal));
    const answer = await renewLeases(this.#options, leases, all.signal);
    const [renewed, taken] = [new Set(answer.renewed), new Set(answer.lost)];
    for (const lease of leases) {
      if (!this.#held.has(lease)) continue;
      if (taken.has(lease.saleUuid)) this.#lose(lease);
      if (!renewed.has(lease.saleUuid)) continue;
      lease.endsAt = askedAt + durationMs;
      this.#expireInTime(lease);
    }
  }

  async #tryAcquire(
    saleUuid: string,
    durationMs: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<bigint | undefined> {
    const { client, holder } = this.#options;
    const request = { saleUuid, holder, duration: durationFromMs(durationMs) };
    const { acquired, epoch } = await client.commitments.acquireSaleLease(request, {
      signal,
      // The protocol has whole milliseconds only.
      timeoutMs: Math.ceil(timeoutMs),
    });
    return acquired ? epoch : undefined;
  }
}
