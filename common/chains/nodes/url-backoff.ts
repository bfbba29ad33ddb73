import { backoffMs, exponentialMs } from "../../platform/concurrency/backoff.ts";

const BACKOFF = { firstMs: 500, longestMs: 30_000 };
/** Wait after a refusal by a node that says none. It grows as long as nothing else follows. */
const REFUSAL_BACKOFF = { firstMs: 1_000, longestMs: 30_000 };
/** Wait before a method that isn't offered is tried again. */
const NOT_OFFERED_BACKOFF = { firstMs: 1_000, longestMs: 10 * 60_000 };
/** Refusals in a row, each after a wait, after which a method isn't offered. */
const REFUSALS_OF_NOT_OFFERED = 5;

/** A failed request, as far as it decides when the URL is asked again. */
export interface CountedFailure {
  readonly message: string;
  /** The wait that the node asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Whether it is evidence about the whole URL. Any other is one about the method, until another method fails too. */
  readonly isOfUrl: boolean;
  /** Whether the node refused the method, for now (a rate limit) or for good. */
  readonly refusal?: "for now" | "for good" | undefined;
}

/** A method that a URL refuses again and again, while it answers others. */
export interface RefusedMethod {
  readonly method: string;
  /** The last refusal. */
  readonly problem: string;
}

/**
 * The recent failures of a URL, by method: a node that refuses or can't do one thing may well do others. All times are in
 * milliseconds of one monotonic clock.
 */
export class UrlBackoff {
  readonly #whole = new Failures();
  readonly #methods = new Map<string, Failures>();

  succeeded(method: string, now: number): void {
    this.#of(method).succeeded(now);
    this.#whole.succeeded(now);
  }

  failed(method: string, failure: CountedFailure, now: number): void {
    const own = this.#of(method);
    // Before the failure is counted, because several requests fail at a time.
    const doOthersFail = [...this.#methods].some(
      ([name, other]) => name !== method && other.isFailing(now) && !this.#isNotOffered(name, other),
    );
    if (!failure.isOfUrl) {
      if (failure.refusal !== undefined) this.refused(method, failure, now);
      own.failed(failure, now);
    }
    if (!failure.isOfUrl && !doOthersFail) return;
    if (failure.refusal === "for now") this.#whole.refused(failure, now);
    this.#whole.failed(failure, now);
  }

  /** Handles that the node refused the method, which is no failure of the node where it is for good. */
  refused(method: string, failure: CountedFailure, now: number): void {
    const own = this.#of(method);
    own.refused(failure, now);
    if (this.#isNotOffered(method, own)) own.rest(now);
  }

  /** Whether other URLs are asked first. */
  isBackingOff(method: string, now: number): boolean {
    return this.#whole.isBackingOff(now) || (this.#methods.get(method)?.isBackingOff(now) ?? false);
  }

  /** Time until it may be asked; 0 if it may be asked now. */
  blockedForMs(method: string, now: number): number {
    return Math.max(this.#whole.blockedForMs(now), this.#methods.get(method)?.blockedForMs(now) ?? 0);
  }

  /** The methods that it doesn't offer. Each is tried again from time to time, and is offered again once it is answered. */
  refusedMethods(): readonly RefusedMethod[] {
    return [...this.#methods]
      .filter(([method, failures]) => this.#isNotOffered(method, failures))
      .map(([method, { lastRefusal: problem }]) => ({ method, problem }));
  }

  /** Why it isn't asked for a method, in words for an operator; undefined for a method that it offers. */
  refusalOf(method: string): string | undefined {
    const refused = this.refusedMethods().find((each) => each.method === method);
    return refused && `it refuses ${method} again and again (${refused.problem})`;
  }

  #isNotOffered(method: string, { refusals, refusedSince }: Failures): boolean {
    if (refusals < REFUSALS_OF_NOT_OFFERED) return false;
    // Where nothing else is answered, it is the URL that refuses.
    return [...this.#methods].some(([name, { answeredAt }]) => name !== method && answeredAt >= refusedSince);
  }

  #of(method: string): Failures {
    const failures = this.#methods.get(method) ?? new Failures();
    this.#methods.set(method, failures);
    return failures;
  }
}

/** Failures in a row, of one method or of the whole URL. */
class Failures {
  answeredAt = Number.NEGATIVE_INFINITY;
  /** Refusals in a row. Those of requests that were sent at the same time count once. */
  refusals = 0;
  refusedSince = 0;
  lastRefusal = "";
  #count = 0;
  /** Time until which other URLs are asked first. */
  #backsOffUntil = 0;
  /** Time until which it isn't asked at all. */
  #blockedUntil = 0;

  succeeded(now: number): void {
    this.answeredAt = now;
    this.refusals = 0;
    this.#count = 0;
    this.#backsOffUntil = 0;
  }

  failed(failure: CountedFailure, now: number): void {
    this.#count += 1;
    this.#backsOffUntil = now + backoffMs(this.#count, BACKOFF);
    if (failure.retryAfterMs !== undefined) this.#block(failure.retryAfterMs, now);
  }

  refused({ message, refusal, retryAfterMs }: CountedFailure, now: number): void {
    if (now >= this.#blockedUntil) {
      if (this.refusals === 0) this.refusedSince = now;
      this.refusals += 1;
      this.lastRefusal = message;
    }
    // One for good is shown with each request, so that it is seen at once when somebody has mended it.
    if (refusal === "for now") this.#block(retryAfterMs ?? exponentialMs(this.refusals, REFUSAL_BACKOFF), now);
  }

  /** Keeps the method from being asked for; each process waits for another time. */
  rest(now: number): void {
    this.#block(backoffMs(this.refusals, NOT_OFFERED_BACKOFF), now);
  }

  isFailing(now: number): boolean {
    return this.isBackingOff(now) || this.blockedForMs(now) > 0;
  }

  isBackingOff(now: number): boolean {
    return now < this.#backsOffUntil;
  }

  blockedForMs(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  #block(millis: number, now: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, now + millis);
  }
}
