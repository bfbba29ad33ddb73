import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { deleteEntityRow } from "./entities-store.ts";
import { lockOwnEntity } from "./own-entity.ts";

export function deleteEntity(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["deleteEntity"] {
  const { database, clock } = dependencies;
  return async ({ entityUuid }, context) => {
    const person = requirePerson(context);
    const nowMs = clock();
    checkRecentSignIn(person, nowMs);
    await database.write(async (transaction) => {
      const entity = await lockOwnEntity(transaction, database.dialect, entityUuid, person.accountUuid);
      await eraseEntityRows(dependencies, transaction, entity, nowMs);
    });
    return {};
  };
}

/** Deletes an entity, which the transaction must have locked, with all that the subjects keep about it. */
export async function eraseEntityRows(
  { eraseEntity }: Pick<EntitiesContext, "eraseEntity">,
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  nowMs: bigint,
): Promise<void> {
  for (const erase of eraseEntity) await erase(transaction, entity, nowMs);
  await deleteEntityRow(transaction, entity);
}
