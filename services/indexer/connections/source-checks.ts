import { Semaphore } from "../../shared/concurrency/semaphore.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { ChainConnection, SourceCheck } from "../source/source-reader.ts";

/** Checks of one chain at once, so that they leave its nodes to the sales that are read. */
const MAX_RUNNING = 2;
/** Checks of one chain that wait for their turn. */
const MAX_WAITING = 8;
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 1_000;
/** Of one check, from its turn on; nobody waits longer. */
const MAX_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

interface Remembered {
  readonly check: Promise<SourceCheck>;
  /** Infinite until it is done. */
  until: number;
}

interface Turns {
  readonly semaphore: Semaphore;
  /** Running and waiting. */
  count: number;
}

export interface SourceChecksOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Addresses whose check is remembered, of all chains together. */
  readonly maxRemembered?: number;
}

/**
 * Looks at addresses for people, anybody among them: each chain has a few turns for it, and what was found a moment ago
 * is told again. Who asks for what is being looked at waits for that.
 */
export class SourceChecks {
  readonly #chains: { get(name: string): Pick<ChainConnection, "check"> };
  readonly #now: () => number;
  readonly #maxRemembered: number;
  readonly #remembered = new Map<string, Remembered>();
  readonly #turns = new Map<string, Turns>();
  readonly #ending = new AbortController();

  /** @param chains where `check` is asked only for chains that are configured, so that their number is bounded */
  constructor(chains: { get(name: string): Pick<ChainConnection, "check"> }, options: SourceChecksOptions = {}) {
    this.#chains = chains;
    this.#now = options.now ?? (() => performance.now());
    this.#maxRemembered = options.maxRemembered ?? MAX_REMEMBERED;
  }

  /**
   * What was found at an address, at most 10 s ago.
   *
   * @throws ServiceError `resource_exhausted` where too many wait, `deadline_exceeded` where the chain's nodes take too long;
   *   the signal's reason once that is aborted; SourceFault as `ChainConnection.check` does
   */
  async check(chain: string, address: string, signal: AbortSignal): Promise<SourceCheck> {
    return untilAborted(this.#recent(chain, address), signal);
  }

  /** Ends what is under way. */
  close(): void {
    this.#ending.abort(new ServiceError("unavailable", "the indexer stops"));
  }

  #recent(chain: string, address: string): Promise<SourceCheck> {
    const key = `${chain} ${address}`;
    const held = this.#remembered.get(key);
    if (held !== undefined && this.#now() < held.until) return held.check;
    const turns = this.#turnsOf(chain);
    if (turns.count >= MAX_RUNNING + MAX_WAITING) {
      throw new ServiceError("resource_exhausted", `too many addresses of chain ${chain} are being checked`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    const remembered: Remembered = { check: this.#look(turns, chain, address), until: Number.POSITIVE_INFINITY };
    this.#remember(key, remembered);
    remembered.check.then(
      () => {
        remembered.until = this.#now() + REMEMBERED_MS;
      },
      () => {
        if (this.#remembered.get(key) === remembered) this.#remembered.delete(key);
      },
    );
    return remembered.check;
  }

  /** It isn't the caller's own: others may wait for it, and the next one is told its result. */
  async #look(turns: Turns, chain: string, address: string): Promise<SourceCheck> {
    turns.count += 1;
    try {
      return await turns.semaphore.run(() => this.#inTime(chain, address), this.#ending.signal);
    } finally {
      turns.count -= 1;
    }
  }

  async #inTime(chain: string, address: string): Promise<SourceCheck> {
    const late = new AbortController();
    const tooLong = new ServiceError("deadline_exceeded", `the nodes of chain ${chain} take too long; try again later`);
    const timer = setTimeout(() => late.abort(tooLong), MAX_MS);
    try {
      const signal = AbortSignal.any([late.signal, this.#ending.signal]);
      return await untilAborted(this.#chains.get(chain).check(address, signal), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #turnsOf(chain: string): Turns {
    const turns = this.#turns.get(chain) ?? { semaphore: new Semaphore(MAX_RUNNING), count: 0 };
    this.#turns.set(chain, turns);
    return turns;
  }

  #remember(key: string, remembered: Remembered): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, remembered);
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined && this.#remembered.size > this.#maxRemembered) this.#remembered.delete(oldest);
  }
}

/** What a promise comes to, or the signal's reason where that is aborted before. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
