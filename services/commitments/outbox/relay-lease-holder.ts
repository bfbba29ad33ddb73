import { randomUUID } from "node:crypto";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import { acquireRelayLease, releaseRelayLease } from "./relay-lease.ts";

export interface RelayLeaseHolderDependencies {
  readonly database: CommitmentsDatabase;
  /** The duration of the lease without renewal: the time in which nobody publishes after its holder has died. */
  readonly leaseMs: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Holds the lease of the outbox for this process: only its holder publishes. */
export class RelayLeaseHolder {
  readonly #options: RelayLeaseHolderDependencies;
  readonly #holder: string = randomUUID();
  #until = -Infinity;
  #renewAt = -Infinity;

  constructor(options: RelayLeaseHolderDependencies) {
    this.#options = options;
  }

  /** Whether this process has the lease. It ends by this process's clock, read before the lease was asked for. */
  isHeld(): boolean {
    return this.#options.now() < this.#until;
  }

  /** Takes the lease, or renews it after a third of its time. @returns whether this process has it. */
  async take(): Promise<boolean> {
    const { database, leaseMs, now } = this.#options;
    const askedAt = now();
    if (askedAt < this.#renewAt) return this.isHeld();
    const isTaken = await acquireRelayLease(database, this.#holder, BigInt(leaseMs));
    this.#until = isTaken ? askedAt + leaseMs : -Infinity;
    this.#renewAt = isTaken ? askedAt + leaseMs / 3 : -Infinity;
    return this.isHeld();
  }

  /** Releases the lease to other processes. Never rejects: if that fails, the lease expires. */
  async release(): Promise<void> {
    const wasHeld = this.isHeld();
    this.#until = -Infinity;
    this.#renewAt = -Infinity;
    if (wasHeld) await releaseRelayLease(this.#options.database, this.#holder).catch(() => {});
  }
}
