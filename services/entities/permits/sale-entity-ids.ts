import { LRUCache } from "lru-cache";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import { findSaleEntities, type SaleEntity } from "../entities/sale-entities-store.ts";
import { SaleBatchers } from "./sale-batchers.ts";

/** Entities in memory, of about 300 bytes each. */
const MAX_ENTITIES = 20_000;

/**
 * Finds the IDs of entities by those that a sale's applications know, those of one sale together. They are made once and stay,
 * also after an entity's deletion: so they are kept in memory.
 */
export class SaleEntityIds {
  readonly #batchers: SaleBatchers<string, SaleEntity | undefined>;
  readonly #known = new LRUCache<string, SaleEntity>({ max: MAX_ENTITIES });

  constructor({ database }: Pick<BaseDependencies, "database">) {
    const read = async (saleUuid: string, publicUuids: readonly string[]) => {
      const found = await database.read((query) => findSaleEntities(query, saleUuid, publicUuids));
      return publicUuids.map((publicUuid) => found.get(publicUuid));
    };
    this.#batchers = new SaleBatchers(
      (saleUuid) => new Batcher((publicUuids) => read(saleUuid, publicUuids), { gathers: true }),
    );
  }

  /** @returns undefined if the sale has no such entity; whether an application sees it, or it was deleted, doesn't matter */
  async find(saleUuid: string, publicUuid: string): Promise<SaleEntity | undefined> {
    const key = `${saleUuid} ${publicUuid}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await this.#batchers.run(saleUuid, publicUuid);
    if (found !== undefined) this.#known.set(key, found);
    return found;
  }
}
