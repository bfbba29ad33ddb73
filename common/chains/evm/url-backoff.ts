import { backoffMs } from "../../platform/concurrency/backoff.ts";
import type { RpcFault } from "./rpc-fault.ts";

const BACKOFF = { firstMs: 500, longestMs: 30_000 };
const STANDARD_RATE_LIMIT_MS = 1000;

/** The recent failures of a URL. All times are in milliseconds of one monotonic clock. */
export class UrlBackoff {
  #failures = 0;
  /** Time until which other URLs are asked first. */
  #backsOffUntil = 0;
  /** Time until which it isn't asked at all, because it limits the rate of requests. */
  #blockedUntil = 0;

  succeeded(): void {
    this.#failures = 0;
    this.#backsOffUntil = 0;
  }

  failed({ kind, retryAfterMs }: RpcFault, now: number): void {
    this.#failures += 1;
    this.#backsOffUntil = now + backoffMs(this.#failures, BACKOFF);
    const blockedMs = retryAfterMs ?? (kind === "rate_limited" ? STANDARD_RATE_LIMIT_MS : 0);
    this.#blockedUntil = Math.max(this.#blockedUntil, now + blockedMs);
  }

  isBackingOff(now: number): boolean {
    return now < this.#backsOffUntil;
  }

  /** Time until it may be asked; 0 if it may be asked now. */
  blockedForMs(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }
}
