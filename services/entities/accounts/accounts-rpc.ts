import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { ensureAccount, lockAccount, storeClosed, storeErased } from "../entities/closed-accounts-store.ts";
import { eraseEntityRows } from "../entities/delete-entity.ts";
import { lockEntitiesOf } from "../entities/entities-store.ts";
import { deleteNoticesOf } from "../notices/notices-store.ts";
import { exportAccount } from "./export-account.ts";

/** The methods of `EntityService` for the deletion and the export of accounts. */
export function accountMethods(
  dependencies: EntitiesContext,
): Pick<ServiceImpl<typeof EntityService>, "closeAccount" | "eraseAccount" | "exportAccount"> {
  return {
    closeAccount: closeAccount(dependencies),
    eraseAccount: eraseAccount(dependencies),
    exportAccount: exportAccount(dependencies),
  };
}

/** Closes an account. It waits for the permits that are being issued to its entities; afterwards none is. */
export function closeAccount({
  database,
  clock,
}: Pick<EntitiesContext, "database" | "clock">): ServiceImpl<typeof EntityService>["closeAccount"] {
  return async ({ accountUuid }) => {
    await ensureAccount(database, accountUuid);
    await database.write(async (transaction) => {
      await lockAccount(transaction, database.dialect, accountUuid);
      await lockEntitiesOf(transaction, database.dialect, accountUuid);
      await storeClosed(transaction, { accountUuid, closedAtMs: clock() });
    });
    return {};
  };
}

/** Deletes the entities of a deleted account. Their IDs in sales stay, with what permits have bound to them. */
function eraseAccount(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["eraseAccount"] {
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
