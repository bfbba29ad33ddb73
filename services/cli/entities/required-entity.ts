import type { Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";

/** The entity in an answer. The service always sets it, although the field is optional in the message. */
export function requiredEntity({ entity }: { readonly entity?: Entity | undefined }): Entity {
  if (entity === undefined) throw new TypeError("the answer has no entity");
  return entity;
}
