import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { EN, type Texts } from "../texts/en.ts";

/** Returns the kind of an entity in words. */
export function entityTypeText(type: EntityType, { entity }: Texts = EN): string {
  return type === EntityType.ORGANIZATION ? entity.organization : entity.person;
}
