import type { Caller } from "./caller.ts";

export interface VerifiedToken {
  readonly caller: Caller;
  /** Until when that need not be found out again: milliseconds since 1970. */
  readonly expiresAtMs: number;
}

const MAX_TOKENS = 1_000;

/** The callers of tokens that were found good, as one token serves many calls. */
export class VerifiedTokens {
  readonly #verify: (token: string) => Promise<VerifiedToken>;
  readonly #verified = new Map<string, VerifiedToken>();

  /** @param verify throws for a token that isn't good. */
  constructor(verify: (token: string) => Promise<VerifiedToken>) {
    this.#verify = verify;
  }

  /** @throws what `verify` throws. */
  async callerOf(token: string): Promise<Caller> {
    const known = this.#verified.get(token);
    if (known !== undefined && Date.now() < known.expiresAtMs) return known.caller;
    this.#verified.delete(token);
    const fresh = await this.#verify(token);
    this.#remember(token, fresh);
    return fresh.caller;
  }

  /** Only tokens that were found good get here, so that strangers can't push others out. */
  #remember(token: string, fresh: VerifiedToken): void {
    this.#verified.set(token, fresh);
    const [oldest] = this.#verified.keys();
    if (this.#verified.size > MAX_TOKENS && oldest !== undefined) this.#verified.delete(oldest);
  }
}
