import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockEntitiesOf } from "./entities-store.ts";
import { readHidden, replaceHidden } from "./hidden-entities-store.ts";
import { entityNotFound } from "./own-entity.ts";

type Methods = ServiceImpl<typeof EntityService>;

/** Each change is for the named entities only, so that changes of two tabs don't undo each other. */
export function changeHiddenEntities({ database }: EntitiesContext): Methods["changeHiddenEntities"] {
  return async ({ clientUuid, hiddenEntityUuids, shownEntityUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    const hidden = canonicalUuids(hiddenEntityUuids);
    const shown = canonicalUuids(shownEntityUuids);
    const both = [...hidden].find((uuid) => shown.has(uuid));
    if (both !== undefined) {
      throw invalidArgument([{ field: "shown_entity_uuids", rule: "hidden", message: `${both} is to be hidden, too` }]);
    }
    await database.write(async (transaction) => {
      const entities = await lockEntitiesOf(transaction, database.dialect, accountUuid);
      const named = [...hidden, ...shown];
      const foreign = named.find((uuid) => entities.every((entity) => entity.uuid !== uuid));
      if (foreign !== undefined) throw entityNotFound(foreign);
      await replaceHidden(transaction, clientUuid, named, hidden);
    });
    return {};
  };
}

export function getHiddenEntities({ database }: EntitiesContext): Methods["getHiddenEntities"] {
  return async ({ clientUuids }, context) => {
    const { accountUuid } = requirePerson(context);
    return { hiddenEntities: await database.read((query) => readHidden(query, clientUuids, accountUuid)) };
  };
}

function canonicalUuids(uuids: readonly string[]): Set<string> {
  return new Set(uuids.map((uuid) => uuid.toLowerCase()));
}
