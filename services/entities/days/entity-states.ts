import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import type { EntitiesContext } from "../base/context.ts";
import { effectiveSetupState, type SetupState } from "../base/entity.ts";
import { readEntityStates } from "./sale-days-store.ts";

/** The number of a sale's entities in each state of their set-up. */
export type EntityStateCounts = ReadonlyMap<SetupState, bigint>;

/** Entities that one statement reads: a sale may have hundreds of thousands. */
const PAGE_SIZE = 500;
/** How long a count is cached: however often a page is loaded, a sale's entities are read once a minute. */
const CACHE_MS = 60_000;
const MAX_SALES = 1_000;

/** Counts a sale's entities by the state of their set-up. Whoever asks while they are being counted waits for the same count. */
export class EntityStates {
  readonly #context: Pick<EntitiesContext, "database" | "clock">;
  readonly #counts: LRUCache<string, Promise<EntityStateCounts>>;

  /** @param cacheMs lifetime of a count from its beginning, in milliseconds */
  constructor(context: Pick<EntitiesContext, "database" | "clock">, cacheMs = CACHE_MS) {
    this.#context = context;
    this.#counts = new LRUCache({ max: MAX_SALES, ttl: cacheMs });
  }

  /** Returns a count that is a minute old at most. */
  async read(saleUuid: string): Promise<EntityStateCounts> {
    const cached = this.#counts.get(saleUuid);
    if (cached !== undefined) return cached;
    // A caller that gives up leaves the count to the next one.
    const counting = outsideOfCalls(() => this.#count(saleUuid));
    this.#counts.set(saleUuid, counting);
    counting.catch(() => {
      if (this.#counts.peek(saleUuid) === counting) this.#counts.delete(saleUuid);
    });
    return counting;
  }

  async #count(saleUuid: string): Promise<EntityStateCounts> {
    const { database, clock } = this.#context;
    const counts = new Map<SetupState, bigint>();
    for (let after = ""; ; ) {
      const page = await database.read((query) => readEntityStates(query, saleUuid, { after, size: PAGE_SIZE }));
      for (const entity of page) {
        const state = effectiveSetupState(entity, clock());
        counts.set(state, (counts.get(state) ?? 0n) + 1n);
      }
      if (page.length < PAGE_SIZE) return counts;
      after = page.at(-1)?.entityUuid ?? "";
      // SQLite answers within this event-loop tick, and others wait for theirs.
      await setImmediate();
    }
  }
}
