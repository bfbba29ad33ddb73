import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { invalidField } from "./public-error.ts";

/** Name of the field that a sale's UUID has in public requests and errors. */
export const SALE_UUID_FIELD = "SaleUUID";

/**
 * Returns a sale's UUID in canonical form.
 *
 * @throws PublicError `invalid_argument` that names the field
 */
export function parseSaleUuid(value: unknown): string {
  if (typeof value !== "string") throw invalidField(SALE_UUID_FIELD, "string", "must be a string");
  const uuid = parseUuid(value);
  if (uuid === undefined) throw invalidField(SALE_UUID_FIELD, "string.uuid", "must be a UUID");
  return uuid;
}
