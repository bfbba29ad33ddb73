import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";

/** Returns the kind of an entity in words. */
export function entityTypeText(type: EntityType): string {
  return type === EntityType.ORGANIZATION ? "Organization" : "Person";
}
