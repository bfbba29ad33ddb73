import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity, readEntity } from "./entities-store.ts";

/** Reads an entity of a person. @throws ServiceError `not_found` also for anyone else's */
export async function readOwnEntity(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
  accountUuid: string,
): Promise<Entity> {
  return requireOwn(await readEntity(query, entityUuid), entityUuid, accountUuid);
}

/** Locks an entity of a person until the end of the transaction. @throws ServiceError `not_found` also for anyone else's */
export async function lockOwnEntity(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  entityUuid: string,
  accountUuid: string,
): Promise<Entity> {
  return requireOwn(await lockEntity(transaction, dialect, entityUuid), entityUuid, accountUuid);
}

/** @throws ServiceError `aborted` if an entity has changed since the version that the caller has seen */
export function checkVersion({ version }: Entity, expectedVersion: bigint): void {
  if (version === expectedVersion) return;
  throw new ServiceError("aborted", `the entity has changed: it has version ${version}, not ${expectedVersion}`);
}

export function entityNotFound(entityUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no entity ${entityUuid}`);
}

function requireOwn(entity: Entity | undefined, entityUuid: string, accountUuid: string): Entity {
  if (entity === undefined || entity.accountUuid !== accountUuid) throw entityNotFound(entityUuid);
  return entity;
}
