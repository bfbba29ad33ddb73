import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Entity } from "../base/entity.ts";
import type { HiddenEntityTable } from "../base/entity-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { entityOfRow } from "./entities-store.ts";

/**
 * Replaces what an application may see of some entities.
 *
 * @param named the entities that change
 * @param hidden those of them that the application may not see
 */
export async function replaceHidden(
  transaction: Transaction<EntitiesSchema>,
  clientUuid: string,
  named: readonly string[],
  hidden: ReadonlySet<string>,
): Promise<void> {
  if (named.length === 0) return;
  const client = bytesOfHex(clientUuid);
  const changed = named.map(bytesOfHex);
  await transaction.deleteFrom("hidden_entity").where("client", "=", client).where("entity", "in", changed).execute();
  const rows = [...hidden].map((uuid) => ({ client, entity: bytesOfHex(uuid) }));
  if (rows.length > 0) await transaction.insertInto("hidden_entity").values(rows).execute();
}

/** Returns which entities of an account some applications don't see. */
export async function readHidden(query: Kysely<EntitiesSchema>, clientUuids: readonly string[], accountUuid: string) {
  return hiddenOfRows(await hiddenOf(query, accountUuid).where("client", "in", clientUuids.map(bytesOfHex)).execute());
}

/** Returns which entities of an account each application doesn't see. */
export async function readAllHidden(query: Kysely<EntitiesSchema>, accountUuid: string) {
  return hiddenOfRows(await hiddenOf(query, accountUuid).execute());
}

function hiddenOf(query: Kysely<EntitiesSchema>, accountUuid: string) {
  return query
    .selectFrom("hidden_entity")
    .innerJoin("entity", "entity.entity", "hidden_entity.entity")
    .select(["hidden_entity.client", "hidden_entity.entity"])
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("hidden_entity.client")
    .orderBy("hidden_entity.entity");
}

function hiddenOfRows(rows: readonly Pick<HiddenEntityTable, "client" | "entity">[]) {
  return rows.map(({ client, entity }) => ({ clientUuid: uuidFromBytes(client), entityUuid: uuidFromBytes(entity) }));
}

/** Returns the entities of an account that an application sees, the earliest first. */
export async function readVisibleEntities(
  query: Kysely<EntitiesSchema>,
  accountUuid: string,
  clientUuid: string,
): Promise<readonly Entity[]> {
  const rows = await query
    .selectFrom("entity")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .where("entity", "not in", (hidden) =>
      hidden.selectFrom("hidden_entity").select("entity").where("client", "=", bytesOfHex(clientUuid)),
    )
    .orderBy("created_at_ms")
    .orderBy("entity")
    .execute();
  return rows.map(entityOfRow);
}
