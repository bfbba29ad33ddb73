import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import { requirePerson } from "../access/person.ts";
import type { EntitiesSchema } from "../schema/schema.ts";
import type { EntityDependencies } from "./dependencies.ts";
import { lockEntitiesOf } from "./entities-store.ts";
import type { Entity } from "./entity.ts";
import { entityNotFound } from "./own-entity.ts";

type Methods = ServiceImpl<typeof EntityService>;

export function setHiddenEntities({ database }: EntityDependencies): Methods["setHiddenEntities"] {
  return async ({ clientUuid, entityUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    const hidden = new Set(entityUuids.map((uuid) => uuid.toLowerCase()));
    await database.write(async (transaction) => {
      const entities = await lockEntitiesOf(transaction, database.dialect, accountUuid);
      const foreign = [...hidden].find((uuid) => entities.every((entity) => entity.uuid !== uuid));
      if (foreign !== undefined) throw entityNotFound(foreign);
      await replaceHidden(transaction, clientUuid, entities, hidden);
    });
    return {};
  };
}

export function getHiddenEntities({ database }: EntityDependencies): Methods["getHiddenEntities"] {
  return async ({ clientUuid }, context) => {
    const { accountUuid } = requirePerson(context);
    return { entityUuids: await database.read((query) => readHidden(query, clientUuid, accountUuid)) };
  };
}

async function replaceHidden(
  transaction: Transaction<EntitiesSchema>,
  clientUuid: string,
  entities: readonly Entity[],
  hidden: ReadonlySet<string>,
): Promise<void> {
  if (entities.length === 0) return;
  const client = bytesOfHex(clientUuid);
  const own = entities.map(({ uuid }) => bytesOfHex(uuid));
  await transaction.deleteFrom("hidden_entity").where("client", "=", client).where("entity", "in", own).execute();
  const rows = [...hidden].map((uuid) => ({ client, entity: bytesOfHex(uuid) }));
  if (rows.length > 0) await transaction.insertInto("hidden_entity").values(rows).execute();
}

async function readHidden(query: Kysely<EntitiesSchema>, clientUuid: string, accountUuid: string): Promise<string[]> {
  const rows = await query
    .selectFrom("hidden_entity")
    .innerJoin("entity", "entity.entity", "hidden_entity.entity")
    .select("hidden_entity.entity")
    .where("client", "=", bytesOfHex(clientUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("hidden_entity.entity")
    .execute();
  return rows.map(({ entity }) => uuidFromBytes(entity));
}
