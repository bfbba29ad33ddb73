import type { Transaction } from "kysely";
import type { Entity } from "./entity.ts";
import type { EntitiesSchema } from "./schema.ts";

/**
 * Deletes what a subject keeps about an entity, but for what a permit has bound in a sale. The transaction has locked the
 * entity, whose own row is deleted last.
 */
export type EraseEntity = (
  transaction: Transaction<EntitiesSchema>,
  entity: Pick<Entity, "uuid" | "accountUuid">,
  nowMs: bigint,
) => Promise<void>;
