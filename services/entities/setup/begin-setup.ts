import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import { updateEntityRow } from "../entities/entities-store.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { afterBegin, checkMayBegin } from "./begin-rules.ts";
import type { SetupDependencies } from "./dependencies.ts";
import { storeHandle } from "./handles-store.ts";

export function beginSetup({
  database,
  clock,
  identityProvider,
}: SetupDependencies): ServiceImpl<typeof EntityService>["beginSetup"] {
  return async ({ entityUuid, country }, context) => {
    const { accountUuid } = requirePerson(context);
    const nowMs = clock();
    return database.write(async (transaction) => {
      const entity = await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
      checkMayBegin(entity, nowMs);
      const begun = identityProvider.begin(entity, country, nowMs);
      if (begun.handle !== undefined) {
        await storeHandle(transaction, begun.handle, { entityUuid: entity.uuid }, nowMs);
      }
      const after = afterBegin(entity, begun, nowMs);
      await updateEntityRow(transaction, after);
      return { entity: entityMessage(after, nowMs), startUrl: begun.startUrl ?? "" };
    });
  };
}
