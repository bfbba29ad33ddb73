import { LRUCache } from "lru-cache";
import { atMost } from "../../cache/at-most.ts";
import type { Caller } from "./caller.ts";

export interface VerifiedToken {
  readonly caller: Caller;
  /** The token's end: milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** The time for which it isn't verified again, in milliseconds, by a monotonic clock. Until its end by default. */
  readonly heldMs?: number;
}

interface HeldToken extends VerifiedToken {
  /** By a monotonic clock. */
  readonly heldUntilMs: number;
}

const MAX_TOKENS = 1_000;

/** A cache of verified tokens, as one token serves many calls. */
export class VerifiedTokens {
  readonly #verify: (token: string) => Promise<VerifiedToken>;
  /** Only valid tokens enter, so that strangers can't push others out. */
  readonly #verified = new LRUCache<string, HeldToken>(atMost(MAX_TOKENS));

  /** @param verify throws for a token that isn't valid */
  constructor(verify: (token: string) => Promise<VerifiedToken>) {
    this.#verify = verify;
  }

  /** @throws what `verify` throws */
  async callerOf(token: string): Promise<Caller> {
    const cached = this.#verified.get(token);
    // Tokens expire by the wall clock, and are held for a span of a monotonic one.
    if (cached !== undefined && Date.now() < cached.expiresAtMs && performance.now() < cached.heldUntilMs) {
      return cached.caller;
    }
    this.#verified.delete(token);
    const verified = await this.#verify(token);
    const { heldMs = Number.POSITIVE_INFINITY } = verified;
    this.#verified.set(token, { ...verified, heldUntilMs: performance.now() + heldMs });
    return verified.caller;
  }
}
