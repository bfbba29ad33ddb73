import type { SourcePosition } from "../../contracts/source-commitment.ts";

/** The last second of the year 9999, which is the limit of the RPC. */
const LAST_SECOND = 253_402_300_799n;

/** Returns the time of a block as a part of its position. A time is only shown: one that can't be is left out. */
export function blockTime(seconds: bigint | undefined): Pick<SourcePosition, "timeSeconds"> {
  const isUsable = seconds !== undefined && seconds >= 0n && seconds <= LAST_SECOND;
  return isUsable ? { timeSeconds: seconds } : {};
}
