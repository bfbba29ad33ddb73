import { escape as escapedText } from "mysql2";
import { hexOfBytes } from "../../encoding/hex.ts";

/** Printable ASCII without what a string literal could end or escape at. */
const plainText = /^[ -&(-[\]-~]*$/;

/**
 * A value as it stands in the text of a statement (for the session's `sql_mode`, which leaves backslash escapes on).
 * Several times as fast as mysql2's own, which has to look for the placeholders and takes any object.
 *
 * @throws TypeError for what isn't null, a string, an integer or bytes.
 */
export function mysqlLiteral(value: unknown): string {
  if (typeof value === "string") return plainText.test(value) ? `'${value}'` : escapedText(value);
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  if (value instanceof Uint8Array) return `x'${hexOfBytes(value)}'`;
  if (value === null) return "NULL";
  throw new TypeError(`a value of type ${typeof value} has no place in an SQL statement`);
}
