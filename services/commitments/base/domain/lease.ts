/** The exclusive right to apply what a sale's contract holds. */
export interface Lease {
  /** Empty before the first acquisition. */
  readonly holder: string;
  /** Counts the holders; 0 before the first. */
  readonly epoch: bigint;
  /** Milliseconds since 1970, by the database's clock. */
  readonly untilMillis: bigint;
}

/** Returns the lease after its holder has lost it: nobody has it, and what is applied under its epoch is refused. */
export function endedLease({ epoch }: Lease): Lease {
  return { holder: "", epoch: epoch + 1n, untilMillis: 0n };
}

/** Returns the lease after `holder` has asked for it: prolonged, taken over once it has expired, or unchanged. */
export function nextLease(lease: Lease, holder: string, nowMillis: bigint, durationMillis: bigint): Lease {
  const untilMillis = nowMillis + durationMillis;
  if (lease.holder === holder) return { ...lease, untilMillis };
  if (lease.untilMillis > nowMillis) return lease;
  return { holder, epoch: lease.epoch + 1n, untilMillis };
}
