import { LRUCache } from "lru-cache";
import type { Caller } from "./caller.ts";

export interface VerifiedToken {
  readonly caller: Caller;
  /** The end of the time in which the result may be used: milliseconds since 1970. */
  readonly expiresAtMs: number;
}

const MAX_TOKENS = 1_000;

/** A cache of verified tokens, as one token serves many calls. */
export class VerifiedTokens {
  readonly #verify: (token: string) => Promise<VerifiedToken>;
  /** Only valid tokens enter, so that strangers can't push others out. */
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  /** @param verify throws for a token that isn't valid */
  constructor(verify: (token: string) => Promise<VerifiedToken>) {
    this.#verify = verify;
  }

  /** @throws what `verify` throws */
  async callerOf(token: string): Promise<Caller> {
    const cached = this.#verified.get(token);
    // Tokens expire by the wall clock; the cache's own expiry would follow a monotonic one.
    if (cached !== undefined && Date.now() < cached.expiresAtMs) return cached.caller;
    this.#verified.delete(token);
    const verified = await this.#verify(token);
    this.#verified.set(token, verified);
    return verified.caller;
  }
}
