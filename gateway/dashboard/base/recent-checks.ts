import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";

/** State of a contract by its check. */
export type CheckedState = "good" | "bad" | "unknown";

const MAX_CHECKS = 1_000;
const LIFETIME_MS = 30_000;

/**
 * States of contracts by the checks of the last half minute, under way included, for pages that only mention them: a check costs calls of
 * the operator's nodes.
 */
export class RecentChecks {
  readonly #states = new LRUCache<string, Promise<CheckedState>>({ ...atMost(MAX_CHECKS), ttl: LIFETIME_MS });

  /** Returns the state by the last check of an object, or by one that is made now. @param check must not fail */
  state(key: string, check: () => Promise<{ readonly state: CheckedState }>): Promise<CheckedState> {
    return this.#states.get(key) ?? this.keep(key, check());
  }

  /** Keeps the state that a check finds. */
  keep(key: string, check: Promise<{ readonly state: CheckedState }>): Promise<CheckedState> {
    const state = check.then((found) => found.state);
    this.#states.set(key, state);
    return state;
  }
}
