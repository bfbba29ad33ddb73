import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { HiddenEntityTable } from "../base/entity-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntitiesOf } from "./entities-store.ts";
import { entityNotFound } from "./own-entity.ts";

type Methods = ServiceImpl<typeof EntityService>;

/** Each change is for the named entities only, so that changes of two tabs don't undo each other. */
export function changeHiddenEntities({ database }: EntitiesContext): Methods["changeHiddenEntities"] {
  return async ({ clientUuid, hiddenEntityUuids, shownEntityUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    const hidden = canonicalUuids(hiddenEntityUuids);
    const shown = canonicalUuids(shownEntityUuids);
    const both = [...hidden].find((uuid) => shown.has(uuid));
    if (both !== undefined) {
      throw invalidArgument([{ field: "shown_entity_uuids", rule: "hidden", message: `${both} is to be hidden, too` }]);
    }
    await database.write(async (transaction) => {
      const entities = await lockEntitiesOf(transaction, database.dialect, accountUuid);
      const named = [...hidden, ...shown];
      const foreign = named.find((uuid) => entities.every((entity) => entity.uuid !== uuid));
      if (foreign !== undefined) throw entityNotFound(foreign);
      await replaceHidden(transaction, clientUuid, named, hidden);
    });
    return {};
  };
}

export function getHiddenEntities({ database }: EntitiesContext): Methods["getHiddenEntities"] {
  return async ({ clientUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    return { hiddenEntities: await database.read((query) => readHidden(query, clientUuids, accountUuid)) };
  };
}

function canonicalUuids(uuids: readonly string[]): Set<string> {
  return new Set(uuids.map((uuid) => uuid.toLowerCase()));
}

/** @param named the entities that change @param hidden those of them that the application may not see */
async function replaceHidden(
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

async function readHidden(query: Kysely<EntitiesSchema>, clientUuids: readonly string[], accountUuid: string) {
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
