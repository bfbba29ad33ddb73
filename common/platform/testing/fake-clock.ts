import type { Clock } from "../time/clock.ts";

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
}
