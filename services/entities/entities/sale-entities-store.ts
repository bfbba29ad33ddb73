import { randomBytes, randomUUID } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import type { SaleEntityTable } from "../base/entity-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity } from "./entities-store.ts";
import { type EntityIds, findImportedIds } from "./imported-ids-store.ts";

/** An entity's IDs in a sale. */
export interface SaleEntity extends EntityIds {
  /** The internal ID. */
  readonly entityUuid: string;
}

const ID_BYTES = 16;

/**
 * Returns the IDs of an entity in a sale, which are made at the first call: those that were imported for its person, else
 * random ones.
 *
 * @param email the address of the entity's account
 * @throws ServiceError `not_found` if the entity was deleted meanwhile
 */
export async function ensureSaleEntity(
  { database, derivedKeys, clock }: Pick<EntitiesContext, "database" | "derivedKeys" | "clock">,
  saleUuid: string,
  entity: Pick<Entity, "uuid">,
  email: string,
): Promise<SaleEntity> {
  const stored = await database.read((query) => findSaleEntityOf(query, saleUuid, entity.uuid));
  if (stored !== undefined) return stored;
  return database.writeLocked(async (transaction) => {
    const locked = await lockEntity(transaction, database.dialect, entity.uuid);
    if (locked === undefined) throw new ServiceError("not_found", `there is no entity ${entity.uuid}`);
    const existing = await findSaleEntityOf(transaction, saleUuid, entity.uuid);
    if (existing !== undefined) return existing;
    const imported = await findImportedIds(transaction, derivedKeys, saleUuid, locked, email);
    const free = imported !== undefined && !(await isTaken(transaction, saleUuid, imported));
    const created = { entityUuid: entity.uuid, ...(free ? imported : randomIds()) };
    return insertSaleEntity(transaction, saleUuid, created, clock());
  });
}

/** Returns the entity that a sale's applications know by an ID. @param publicUuid as they send it */
export async function findSaleEntity(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  publicUuid: string,
): Promise<SaleEntity | undefined> {
  const row = await query
    .selectFrom("sale_entity")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("entity_uuid", "=", bytesOfHex(publicUuid))
    .executeTakeFirst();
  return row && saleEntityOfRow(row);
}

/** Returns the entities that a sale's applications know by some IDs, by these. @param publicUuids at least one */
export async function findSaleEntities(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  publicUuids: readonly string[],
): Promise<ReadonlyMap<string, SaleEntity>> {
  const rows = await query
    .selectFrom("sale_entity")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("entity_uuid", "in", publicUuids.map(bytesOfHex))
    .execute();
  return new Map(rows.map(saleEntityOfRow).map((entity) => [entity.publicUuid, entity]));
}

/** Returns the IDs of an entity in a sale; undefined before some were made. @param entityUuid the internal ID */
export async function findSaleEntityOf(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
): Promise<SaleEntity | undefined> {
  const row = await query
    .selectFrom("sale_entity")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("entity", "=", bytesOfHex(entityUuid))
    .executeTakeFirst();
  return row && saleEntityOfRow(row);
}

/** Returns the IDs of an entity in all sales, in the order of the sales' UUIDs. */
export async function readSaleEntities(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
): Promise<readonly (SaleEntity & { readonly saleUuid: string })[]> {
  const entity = bytesOfHex(entityUuid);
  const rows = await query.selectFrom("sale_entity").selectAll().where("entity", "=", entity).orderBy("sale").execute();
  return rows.map((row) => ({ saleUuid: uuidFromBytes(row.sale), ...saleEntityOfRow(row) }));
}

/** Whether an entity has one of these IDs in the sale. */
export async function isTaken(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { publicUuid, saleSpecificId }: EntityIds,
): Promise<boolean> {
  const row = await query
    .selectFrom("sale_entity")
    .select("entity")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where((either) =>
      either.or([
        either("entity_uuid", "=", bytesOfHex(publicUuid)),
        either("sale_specific_id", "=", Buffer.from(saleSpecificId)),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Random IDs. Neither is zero, which contracts take for none. */
export function randomIds(): EntityIds {
  const saleSpecificId = Uint8Array.from(randomBytes(ID_BYTES));
  return saleSpecificId.some((byte) => byte !== 0) ? { publicUuid: randomUUID(), saleSpecificId } : randomIds();
}

async function insertSaleEntity(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  created: SaleEntity,
  nowMs: bigint,
): Promise<SaleEntity> {
  const row: SaleEntityTable = {
    sale: bytesOfHex(saleUuid),
    entity: bytesOfHex(created.entityUuid),
    entity_uuid: bytesOfHex(created.publicUuid),
    sale_specific_id: Buffer.from(created.saleSpecificId),
    created_at_ms: nowMs,
  };
  await transaction.insertInto("sale_entity").values(row).execute();
  return created;
}

function saleEntityOfRow(row: Omit<SaleEntityTable, "created_at_ms">): SaleEntity {
  return {
    entityUuid: uuidFromBytes(row.entity),
    publicUuid: uuidFromBytes(row.entity_uuid),
    saleSpecificId: Uint8Array.from(row.sale_specific_id),
  };
}

/** Entities in memory, of about 300 bytes each. */
const MAX_ENTITIES = 20_000;

/**
 * Finds the IDs of entities by those that a sale's applications know. They are made once and stay, also after an entity's deletion:
 * so they are cached.
 */
export class SaleEntityIds {
  readonly #database: EntitiesContext["database"];
  readonly #cache = new LRUCache<string, SaleEntity>(atMost(MAX_ENTITIES));

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
