import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { Entity } from "../base/entity.ts";
import { ensureAccount, lockAccount } from "./closed-accounts-store.ts";
import type { EntityDependencies } from "./dependencies.ts";
import { insertEntity, readEntitiesOf } from "./entities-store.ts";
import { entityMessage, typeOf } from "./entity-message.ts";
import { parseLabel } from "./label.ts";
import { checkRoomFor, newEntity, personExists } from "./new-entity.ts";

export function createEntity(dependencies: EntityDependencies): ServiceImpl<typeof EntityService>["createEntity"] {
  return async ({ type, label }, context) => {
    const { accountUuid } = requirePerson(context);
    const nowMs = dependencies.clock();
    const entity = newEntity(accountUuid, { type: typeOf(type), label: parseLabel(label) }, nowMs);
    await storeNewEntity(dependencies, entity);
    return { entity: entityMessage(entity, nowMs) };
  };
}

async function storeNewEntity({ database }: EntityDependencies, entity: Entity): Promise<void> {
  await ensureAccount(database, entity.accountUuid);
  try {
    await database.write(async (transaction) => {
      const { closed } = await lockAccount(transaction, database.dialect, entity.accountUuid);
      if (closed) throw new ServiceError("failed_precondition", "the account is being deleted");
      const entities = await readEntitiesOf(transaction, entity.accountUuid);
      // The commit of an earlier attempt may have succeeded without an answer.
      if (entities.some(({ uuid }) => uuid === entity.uuid)) return;
      checkRoomFor(entity.type, entities);
      await insertEntity(transaction, entity);
    });
  } catch (error) {
    // Another node of a database cluster, where locks hold on one node only, has inserted the person.
    if (database.dialect.isDuplicateKey(error)) throw personExists();
    throw error;
  }
}
