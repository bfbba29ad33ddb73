import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { deleteSubscriptionsOf, readReasons } from "../alerts/alerts-store.ts";
import { saleAlertsMessage } from "../alerts/reason-message.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { ensureAccount, lockAccount, storeClosed, storeErased } from "../entities/closed-accounts-store.ts";
import { eraseEntityRows } from "../entities/delete-entity.ts";
import { lockEntitiesOf, readEntitiesOf } from "../entities/entities-store.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { readAllHidden } from "../entities/hidden-entities-store.ts";
import { readSaleEntities } from "../entities/sale-entities-store.ts";
import { deleteNoticesOf } from "../notices/notices-store.ts";
import { readDecisions } from "../setup/audit-store.ts";
import { readLiveness } from "../setup/liveness-store.ts";
import { readEntries } from "../setup/review-entries-store.ts";
import { decisionMessage, entryMessage } from "../setup/review-message.ts";

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
      await deleteSubscriptionsOf(transaction, accountUuid);
      await deleteNoticesOf(transaction, accountUuid);
      await storeErased(transaction, accountUuid, nowMs);
    });
    return {};
  };
}

const MAX_PERMITS = 1_000;
const MAX_DECISIONS = 1_000;

/**
 * Returns the entities of a person with their wallets, IDs and proofs of presence, from whom they are hidden, the newest permits
 * and reviewers' decisions, as of one moment.
 */
function exportAccount(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["exportAccount"] {
  const { database, issuedPermits } = dependencies;
  return async (_request, context) => {
    const { accountUuid } = requirePerson(context);
    return database.snapshot(async (query) => {
      const entities = await readEntitiesOf(query, accountUuid);
      const exported = [];
      for (const entity of entities) exported.push(await exportedEntity(dependencies, query, entity));
      const uuids = entities.map(({ uuid }) => uuid);
      const permits = await issuedPermits(query, uuids, { sinceMs: 0n, limit: MAX_PERMITS });
      const decisions = (await readDecisions(query, uuids, MAX_DECISIONS)).map((decision) => decisionMessage(decision));
      return {
        entities: exported,
        permits: [...permits],
        hiddenEntities: await readAllHidden(query, accountUuid),
        decisions,
        alerts: (await readReasons(query, accountUuid)).map(saleAlertsMessage),
      };
    });
  };
}

async function exportedEntity(
  { clock, identity, linkedWallets }: EntitiesContext,
  query: Kysely<EntitiesSchema>,
  entity: Entity,
) {
  const proofs = await readLiveness(query, entity.uuid);
  const sales = (await readSaleEntities(query, entity.uuid)).map(({ saleUuid, publicUuid, saleSpecificId }) => {
    const provedAtMs = proofs.get(saleUuid);
    return {
      saleUuid,
      entityUuid: publicUuid,
      saleSpecificEntityId: saleSpecificId,
      ...(provedAtMs !== undefined && { presenceProvedAt: timestampFromMs(Number(provedAtMs)) }),
    };
  });
  const entries = await readEntries(query, entity.uuid, ["question", "answer"]);
  const wallets = [...(await linkedWallets(query, entity.uuid))];
  const questions = entries.map((entry) => entryMessage(entry));
  return { entity: entityMessage(entity, clock(), identity), wallets, sales, questions };
}
