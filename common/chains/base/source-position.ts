/** A block of a chain, as the position of a sale's source. */
export interface SourcePosition {
  /** Block number or slot. */
  readonly height: bigint;
  /** Lower-case hex without `0x`; empty on chains that are read by slot. */
  readonly hash: string;
  /** The block's own time, seconds since 1970; absent if it isn't known. */
  readonly timeSeconds?: bigint;
}

/** The last second of the year 9999, which is the limit of the RPC. */
const LAST_SECOND = 253_402_300_799n;

/** Returns the time of a block as a part of its position. A time is only shown: one that can't be is left out. */
export function blockTime(seconds: bigint | undefined): Pick<SourcePosition, "timeSeconds"> {
  const isUsable = seconds !== undefined && seconds >= 0n && seconds <= LAST_SECOND;
  return isUsable ? { timeSeconds: seconds } : {};
}
