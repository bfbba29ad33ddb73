import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { createEntity } from "./create-entity.ts";
import { deleteEntity } from "./delete-entity.ts";
import { changeHiddenEntities, getHiddenEntities } from "./hidden-entities.ts";
import { importEntityIds } from "./import-entity-ids.ts";
import { getEntity, listEntities } from "./read-entities.ts";
import { updateEntity } from "./update-entity.ts";

/** The methods of `EntityService` for a person's entities and for the import of IDs. */
export function entityMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EntityService>,
  | "createEntity"
  | "listEntities"
  | "getEntity"
  | "updateEntity"
  | "deleteEntity"
  | "importEntityIds"
  | "changeHiddenEntities"
  | "getHiddenEntities"
> {
  return {
    createEntity: createEntity(dependencies),
    listEntities: listEntities(dependencies),
    getEntity: getEntity(dependencies),
    updateEntity: updateEntity(dependencies),
    deleteEntity: deleteEntity(dependencies),
    importEntityIds: importEntityIds(dependencies),
    changeHiddenEntities: changeHiddenEntities(dependencies),
    getHiddenEntities: getHiddenEntities(dependencies),
  };
}
