import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { ensureAccount, lockAccount, storeErased } from "../entities/closed-accounts-store.ts";
import { eraseEntityRows } from "../entities/delete-entity.ts";
import type { EntityDependencies } from "../entities/dependencies.ts";
import { lockEntitiesOf } from "../entities/entities-store.ts";
import { deleteNoticesOf } from "../setup/notices-store.ts";

/** Deletes the entities of a deleted account. Their IDs in sales stay, with what permits have bound to them. */
export function eraseAccount(dependencies: EntityDependencies): ServiceImpl<typeof EntityService>["eraseAccount"] {
  const { database, clock } = dependencies;
  return async ({ accountUuid }) => {
    await ensureAccount(database, accountUuid);
    await database.write(async (transaction) => {
      const nowMs = clock();
      await lockAccount(transaction, database.dialect, accountUuid);
      const entities = await lockEntitiesOf(transaction, database.dialect, accountUuid);
      for (const entity of entities) await eraseEntityRows(dependencies, transaction, entity, nowMs);
      await deleteNoticesOf(transaction, accountUuid);
      await storeErased(transaction, accountUuid, nowMs);
    });
    return {};
  };
}
