import { readEmailAddress } from "../../../common/platform/names/email-address.ts";
import { brokenNameRules } from "../../../common/platform/names/name-rules.ts";
import type { ImportedEntityId } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntityTypeName } from "../base/entity.ts";
import { typeOf } from "./entity-message.ts";

/** A row of an import that keeps all rules by itself. */
export interface ImportedRow {
  readonly email: string;
  readonly type: EntityTypeName;
  /** Empty for a person. */
  readonly label: string;
  /** Undefined if one is to be made. */
  readonly publicUuid: string | undefined;
  readonly saleSpecificId: Uint8Array;
}

const MAX_LABEL_CHARACTERS = 100;

/** Checks a row. @returns the field and the rule that it breaks as a text, or the row */
export function parseImportedRow(message: ImportedEntityId): ImportedRow | string {
  const type = typeOf(message.type);
  const label = message.label.trim();
  const email = readEmailAddress(message.email);
  if (email === undefined) return "email: must be an e-mail address in ASCII";
  if (message.saleSpecificEntityId.every((byte) => byte === 0)) return "sale_specific_entity_id: must not be zero";
  if (type === "person" && label !== "") return "label: must be empty for a person, who has one such entity";
  const [broken] = type === "person" ? [] : brokenNameRules(label, { maxCharacters: MAX_LABEL_CHARACTERS });
  if (broken !== undefined) return `label: ${broken.message}`;
  const publicUuid = message.entityUuid === "" ? undefined : message.entityUuid.toLowerCase();
  return { email, type, label, publicUuid, saleSpecificId: message.saleSpecificEntityId };
}
