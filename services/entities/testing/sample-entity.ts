import { randomUUID } from "node:crypto";
import type { Entity } from "../base/entity.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { ensureAccount } from "../entities/closed-accounts-store.ts";
import { insertEntity } from "../entities/entities-store.ts";

/** An entity whose set-up hasn't begun, of an account of its own. */
export function sampleEntity(given: Partial<Entity> = {}): Entity {
  return {
    uuid: randomUUID(),
    accountUuid: randomUUID(),
    type: "person",
    label: "Me",
    country: "",
    setupState: "not_started",
    setupReason: "",
    setupAtMs: 0n,
    version: 1n,
    createdAtMs: 1_000n,
    ...given,
  };
}

/** Stores an entity with the row of its account. */
export async function storeEntity(database: EntitiesDatabase, given: Partial<Entity> = {}): Promise<Entity> {
  const entity = sampleEntity(given);
  await ensureAccount(database, entity.accountUuid);
  await database.write((transaction) => insertEntity(transaction, entity));
  return entity;
}
