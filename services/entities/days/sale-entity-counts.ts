import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import type { EntitiesContext } from "../base/context.ts";
import { effectiveSetupState, type SetupState } from "../base/entity.ts";
import { dayOf, readEntityStates } from "./sale-days-store.ts";

/** Numbers of a sale's entities. */
export interface EntityCounts {
  /** By the state of their set-up, without those that were deleted. */
  readonly byState: ReadonlyMap<SetupState, bigint>;
  /** By the beginning of the day on which the sale first saw them, UTC, in milliseconds since 1970. */
  readonly byDay: ReadonlyMap<bigint, bigint>;
}

/** Entities that one statement reads: a sale may have hundreds of thousands. */
const PAGE_SIZE = 500;
/** How long a count is cached: however often a page is loaded, a sale's entities are read once a minute. */
const CACHE_MS = 60_000;
const MAX_SALES = 1_000;

/** Counts a sale's entities by the state of their set-up and by day. Whoever asks while they are being counted waits for the same count. */
export class SaleEntityCounts {
  readonly #context: Pick<EntitiesContext, "database" | "clock">;
  readonly #counts: LRUCache<string, Promise<EntityCounts>>;

  /** @param cacheMs lifetime of a count from its beginning, in milliseconds */
  constructor(context: Pick<EntitiesContext, "database" | "clock">, cacheMs = CACHE_MS) {
    this.#context = context;
    this.#counts = new LRUCache({ ...atMost(MAX_SALES), ttl: cacheMs });
  }

  /** Returns a count that is a minute old at most. */
  async read(saleUuid: string): Promise<EntityCounts> {
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

  async #count(saleUuid: string): Promise<EntityCounts> {
    const { database, clock } = this.#context;
    const [byState, byDay] = [new Map<SetupState, bigint>(), new Map<bigint, bigint>()];
    for (let after = ""; ; ) {
      const page = await database.read((query) => readEntityStates(query, saleUuid, { after, size: PAGE_SIZE }));
      for (const { setup, createdAtMs } of page) {
        if (setup !== undefined) addOne(byState, effectiveSetupState(setup, clock()));
        if (createdAtMs !== undefined) addOne(byDay, dayOf(createdAtMs));
      }
      if (page.length < PAGE_SIZE) return { byState, byDay };
      after = page.at(-1)?.entityUuid ?? "";
      // SQLite answers within this event-loop tick, and others wait for theirs.
      await setImmediate();
    }
  }
}

function addOne<Key>(counts: Map<Key, bigint>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0n) + 1n);
}
