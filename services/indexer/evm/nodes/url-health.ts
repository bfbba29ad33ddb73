import { backoffMs } from "../../../shared/concurrency/backoff.ts";
import type { RpcFault } from "./rpc-fault.ts";

const REST = { firstMs: 500, longestMs: 30_000 };
const STANDARD_RATE_LIMIT_MS = 1000;

/** What is remembered of a URL's failures. All times in milliseconds of one monotonic clock. */
export class UrlHealth {
  #failures = 0;
  /** Until then others are asked first. */
  #restsUntil = 0;
  /** Until then it isn't asked at all: its own wish. */
  #closedUntil = 0;

  answered(): void {
    this.#failures = 0;
    this.#restsUntil = 0;
  }

  failed({ kind, retryAfterMs }: RpcFault, now: number): void {
    this.#failures += 1;
    this.#restsUntil = now + backoffMs(this.#failures, REST);
    const closed = retryAfterMs ?? (kind === "rate_limited" ? STANDARD_RATE_LIMIT_MS : 0);
    this.#closedUntil = Math.max(this.#closedUntil, now + closed);
  }

  rests(now: number): boolean {
    return now < this.#restsUntil;
  }

  /** 0: it may be asked. */
  closedForMs(now: number): number {
    return Math.max(0, this.#closedUntil - now);
  }
}
