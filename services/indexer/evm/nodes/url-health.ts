import { backoffMs } from "../../../shared/concurrency/backoff.ts";
import type { RpcFault } from "./rpc-fault.ts";

const REST = { firstMs: 500, longestMs: 30_000 };
const STANDARD_RATE_LIMIT_MS = 1000;

/** The recent failures of a URL. All times are in milliseconds of one monotonic clock. */
export class UrlHealth {
  #failures = 0;
  /** Time until which other URLs are asked first. */
  #restsUntil = 0;
  /** Time until which it isn't asked at all, because it limits the rate of requests. */
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

  /** Time until it may be asked; 0 if it may be asked now. */
  closedForMs(now: number): number {
    return Math.max(0, this.#closedUntil - now);
  }
}
