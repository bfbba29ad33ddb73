import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { updateEntityRow } from "./entities-store.ts";
import { entityMessage } from "./entity-message.ts";
import { parseLabel } from "./label.ts";
import { checkVersion, lockOwnEntity } from "./own-entity.ts";

export function updateEntity({ database, clock }: EntitiesContext): ServiceImpl<typeof EntityService>["updateEntity"] {
  return async ({ entityUuid, label, expectedVersion }, context) => {
    const { accountUuid } = requirePerson(context);
    const changed = await database.write(async (transaction) => {
      const entity = await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
      checkVersion(entity, expectedVersion);
      const after = { ...entity, label: parseLabel(label, entity.label), version: entity.version + 1n };
      await updateEntityRow(transaction, after);
      return after;
    });
    return { entity: entityMessage(changed, clock()) };
  };
}
