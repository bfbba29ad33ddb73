import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity, EntityTypeName } from "../base/entity.ts";
import { ensureAccount, lockAccount } from "./closed-accounts-store.ts";
import { insertEntity, readEntitiesOf } from "./entities-store.ts";
import { entityMessage, typeOf } from "./entity-message.ts";
import { parseLabel } from "./label.ts";

export function createEntity(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["createEntity"] {
  return async ({ type, label }, context) => {
    const { accountUuid } = requirePerson(context);
    const nowMs = dependencies.clock();
    const entity = newEntity(accountUuid, { type: typeOf(type), label: parseLabel(label) }, nowMs);
    await storeNewEntity(dependencies, entity);
    return { entity: entityMessage(entity, nowMs, dependencies.identity) };
  };
}

async function storeNewEntity({ database }: EntitiesContext, entity: Entity): Promise<void> {
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

/**
 * The number of entities that an account may have: enough for somebody who acts for several companies, and few enough for
 * the lists that a consent page and an application show whole.
 */
export const MAX_ENTITIES = 20;

/** @param label parsed by `parseLabel` */
function newEntity(
  accountUuid: string,
  { type, label }: { readonly type: EntityTypeName; readonly label: string },
  nowMs: bigint,
): Entity {
  return {
    uuid: randomUUID(),
    accountUuid,
    type,
    label,
    country: "",
    setupState: "not_started",
    setupReason: "",
    setupAtMs: 0n,
    version: 1n,
    createdAtMs: nowMs,
  };
}

/**
 * Checks that an account may have another entity.
 *
 * @param entities those that it has
 * @throws ServiceError `already_exists` for a second person, `failed_precondition` for too many
 */
function checkRoomFor(type: EntityTypeName, entities: readonly Entity[]): void {
  if (type === "person" && entities.some((entity) => entity.type === "person")) throw personExists();
  if (entities.length < MAX_ENTITIES) return;
  throw new ServiceError("failed_precondition", `an account has at most ${MAX_ENTITIES} entities`);
}

function personExists(): ServiceError {
  return new ServiceError("already_exists", "the account has its person entity already");
}
