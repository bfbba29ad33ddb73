import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { ensureAccount, lockAccount, storeClosed } from "../entities/closed-accounts-store.ts";
import type { EntityDependencies } from "../entities/dependencies.ts";
import { lockEntitiesOf } from "../entities/entities-store.ts";

/** Closes an account. It waits for the permits that are being issued to its entities; afterwards none is. */
export function closeAccount({
  database,
  clock,
}: Pick<EntityDependencies, "database" | "clock">): ServiceImpl<typeof EntityService>["closeAccount"] {
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
