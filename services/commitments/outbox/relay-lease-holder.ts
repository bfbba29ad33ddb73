import { randomUUID } from "node:crypto";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import { acquireRelayLease, releaseRelayLease } from "./relay-lease.ts";

export interface RelayLeaseHolderDependencies {
  readonly database: CommitmentsDatabase;
  /** How long the lease lasts unless it is renewed: that long nobody publishes when its holder dies. */
  readonly leaseMs: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** A process's claim to be the one that publishes the outbox. */
export class RelayLeaseHolder {
  readonly #options: RelayLeaseHolderDependencies;
  readonly #holder: string = randomUUID();
  #until = -Infinity;
  #renewAt = -Infinity;

  constructor(options: RelayLeaseHolderDependencies) {
    this.#options = options;
  }

  /** Whether this process is the one. Ends by this process's clock, which was read first, before the lease itself. */
  isHeld(): boolean {
    return this.#options.now() < this.#until;
  }

  /** Takes the lease, or renews it after a third of its time. @returns whether it is held. */
  async take(): Promise<boolean> {
    const { database, leaseMs, now } = this.#options;
    const askedAt = now();
    if (askedAt < this.#renewAt) return this.isHeld();
    const isTaken = await acquireRelayLease(database, this.#holder, BigInt(leaseMs));
    this.#until = isTaken ? askedAt + leaseMs : -Infinity;
    this.#renewAt = isTaken ? askedAt + leaseMs / 3 : -Infinity;
    return this.isHeld();
  }

  /** Lets another one have the lease. Never rejects: where that fails, it ends by itself. */
  async release(): Promise<void> {
    const wasHeld = this.isHeld();
    this.#until = -Infinity;
    this.#renewAt = -Infinity;
    if (wasHeld) await releaseRelayLease(this.#options.database, this.#holder).catch(() => {});
  }
}
