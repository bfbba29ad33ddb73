import type { Clock } from "../time/clock.ts";

const HOUR_MS = 3_600_000n;

/** A clock that moves only when a test advances it. */
export class FakeClock {
  #nowMs: bigint;

  /** @param startMs 2026-01-31T12:00:00Z by default. */
  constructor(startMs = BigInt(Date.UTC(2026, 0, 31, 12))) {
    this.#nowMs = startMs;
  }

  readonly now: Clock = () => this.#nowMs;

  advance(milliseconds: number | bigint): void {
    this.#nowMs += BigInt(milliseconds);
  }

  /** Moves to the beginning of the next hour of the clock. @returns that time, in milliseconds since 1970 */
  advanceToNextHour(): number {
    this.advance(HOUR_MS - (this.#nowMs % HOUR_MS));
    return Number(this.#nowMs);
  }
}
