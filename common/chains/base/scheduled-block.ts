/** A block of a schedule, by its number. */
export interface ScheduledBlock {
  readonly number: bigint;
  /** When it was made, or is likely to be: seconds since 1970. Absent if that isn't known. */
  readonly timeSeconds?: bigint;
  /** Whether the block is still to come, so that its time is an estimate. */
  readonly isEstimated: boolean;
}
