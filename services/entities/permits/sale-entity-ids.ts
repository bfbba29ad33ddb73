import { LRUCache } from "lru-cache";
import type { EntitiesContext } from "../base/context.ts";
import { findSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";

/** Entities in memory, of about 300 bytes each. */
const MAX_ENTITIES = 20_000;

/**
 * Finds the IDs of entities by those that a sale's applications know. They are made once and stay, also after an entity's deletion:
 * so they are cached.
 */
export class SaleEntityIds {
  readonly #database: EntitiesContext["database"];
  readonly #cache = new LRUCache<string, SaleEntity>({ max: MAX_ENTITIES });

  constructor({ database }: Pick<EntitiesContext, "database">) {
    this.#database = database;
  }

  /** @returns undefined if the sale has no such entity; whether an application sees it, or it was deleted, doesn't matter */
  async find(saleUuid: string, publicUuid: string): Promise<SaleEntity | undefined> {
    const key = `${saleUuid} ${publicUuid}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const stored = await this.#database.read((query) => findSaleEntity(query, saleUuid, publicUuid));
    if (stored !== undefined) this.#cache.set(key, stored);
    return stored;
  }
}
