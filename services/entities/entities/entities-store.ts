import type { Kysely, Selectable, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Entity, ProviderName, SetupState } from "../base/entity.ts";
import type { EntityTable } from "../base/entity-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";

export async function readEntity(query: Kysely<EntitiesSchema>, entityUuid: string): Promise<Entity | undefined> {
  const row = await query
    .selectFrom("entity")
    .selectAll()
    .where("entity", "=", bytesOfHex(entityUuid))
    .executeTakeFirst();
  return row && entityOfRow(row);
}

/**
 * Locks an entity until the end of the transaction, so that its changes, the permits that are issued to it, its deletion and
 * the closing of its account run one after another. Read what decides about a permit after it.
 *
 * @returns undefined if there is no such entity (any more)
 */
export async function lockEntity(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  entityUuid: string,
): Promise<Entity | undefined> {
  const [entity] = await lockEntitiesBy(transaction, dialect, "entity", entityUuid);
  return entity;
}

/** Returns those of some entities that exist, by UUID. @param entityUuids at least one */
export async function readEntities(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
): Promise<ReadonlyMap<string, Entity>> {
  return byUuid(await selectEntities(query, entityUuids).execute());
}

/** Returns the entities of an account, the earliest first. */
export async function readEntitiesOf(query: Kysely<EntitiesSchema>, accountUuid: string): Promise<readonly Entity[]> {
  const rows = await query
    .selectFrom("entity")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("created_at_ms")
    .orderBy("entity")
    .execute();
  return rows.map(entityOfRow);
}

/** Locks the entities of an account until the end of the transaction, and returns them in the order of their IDs. */
export async function lockEntitiesOf(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  accountUuid: string,
): Promise<readonly Entity[]> {
  return lockEntitiesBy(transaction, dialect, "account", accountUuid);
}

/**
 * Adds an entity. The transaction must have locked its account (`lockAccount`).
 *
 * @throws an error for which `isDuplicateKey` is true if the account has its person entity already
 */
export async function insertEntity(transaction: Transaction<EntitiesSchema>, entity: Entity): Promise<void> {
  const { entity: uuid, account } = rowOfEntity(entity);
  if (entity.type === "person") {
    await transaction.insertInto("person_entity").values({ account, entity: uuid }).execute();
  }
  await transaction.insertInto("entity").values(rowOfEntity(entity)).execute();
}

/** Stores a change of an entity, which the transaction must have locked. */
export async function updateEntityRow(transaction: Transaction<EntitiesSchema>, entity: Entity): Promise<void> {
  await transaction
    .updateTable("entity")
    .set(changedColumns(entity))
    .where("entity", "=", bytesOfHex(entity.uuid))
    .execute();
}

/** Deletes an entity, which the transaction must have locked. Its IDs in sales stay. */
export async function deleteEntityRow(
  transaction: Transaction<EntitiesSchema>,
  { uuid, accountUuid }: Pick<Entity, "uuid" | "accountUuid">,
): Promise<void> {
  const entity = bytesOfHex(uuid);
  const person = transaction.deleteFrom("person_entity").where("account", "=", bytesOfHex(accountUuid));
  await person.where("entity", "=", entity).execute();
  await transaction.deleteFrom("hidden_entity").where("entity", "=", entity).execute();
  await transaction.deleteFrom("entity").where("entity", "=", entity).execute();
}

/** Locks the entities with a UUID in a column, with one message. */
async function lockEntitiesBy(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  column: "entity" | "account",
  uuid: string,
): Promise<readonly Entity[]> {
  const value = bytesOfHex(uuid);
  const query = transaction.selectFrom("entity").selectAll().where(column, "=", value).orderBy("entity");
  const rows = await executeNamed(transaction, dialect, {
    lock: lockRowsStatement(dialect, { table: "entity", column, values: [value] }),
    entities: query.compile(),
  });
  return rows.entities.map(entityOfRow);
}

function selectEntities(query: Kysely<EntitiesSchema>, entityUuids: readonly string[]) {
  return query.selectFrom("entity").selectAll().where("entity", "in", entityUuids.map(bytesOfHex)).orderBy("entity");
}

function byUuid(rows: readonly Parameters<typeof entityOfRow>[0][]): ReadonlyMap<string, Entity> {
  return new Map(rows.map(entityOfRow).map((entity) => [entity.uuid, entity]));
}

/** The columns that a change of an entity writes. */
type ChangedColumns = Omit<EntityTable, "entity" | "account" | "type" | "created_at_ms" | "approval_warned" | "locks">;

export function entityOfRow(row: Selectable<EntityTable>): Entity {
  return {
    uuid: uuidFromBytes(row.entity),
    accountUuid: uuidFromBytes(row.account),
    type: row.type,
    label: row.label,
    country: row.country,
    setupState: row.setup_state as SetupState,
    setupReason: row.setup_reason,
    // A version without the column leaves it behind when somebody has answered.
    openQuestion: (row.setup_state === "in_progress" && row.open_question) || undefined,
    setupAtMs: BigInt(row.setup_at_ms),
    reportedState: (row.reported_state as SetupState | null) ?? undefined,
    reportedCheck: row.reported_check === null ? undefined : hexOfBytes(row.reported_check),
    provider: (row.provider as ProviderName | null) ?? undefined,
    submittedAtMs: optionalTime(row.submitted_at_ms),
    approvalExpiresAtMs: optionalTime(row.approval_expires_at_ms),
    version: BigInt(row.version),
    createdAtMs: BigInt(row.created_at_ms),
  };
}

function rowOfEntity(entity: Entity): EntityTable {
  return {
    entity: bytesOfHex(entity.uuid),
    account: bytesOfHex(entity.accountUuid),
    type: entity.type,
    created_at_ms: entity.createdAtMs,
    approval_warned: 0,
    locks: null,
    ...changedColumns(entity),
  };
}

/** The columns of what can change about an entity, but for the mark of the mail about its approval's end. */
function changedColumns(entity: Entity): ChangedColumns {
  return {
    label: entity.label,
    country: entity.country,
    setup_state: entity.setupState,
    setup_reason: entity.setupReason,
    open_question: entity.openQuestion ?? null,
    setup_at_ms: entity.setupAtMs,
    reported_state: entity.reportedState ?? null,
    reported_check: entity.reportedCheck === undefined ? null : bytesOfHex(entity.reportedCheck),
    provider: entity.provider ?? null,
    submitted_at_ms: entity.submittedAtMs ?? null,
    approval_expires_at_ms: entity.approvalExpiresAtMs ?? null,
    version: entity.version,
  };
}

function optionalTime(value: bigint | string | null): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}
