import { parseUuid } from "../../common/platform/encoding/uuid.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { bodyLengthProblem, type JsonObject, jsonHeadersProblem, parseJsonObject } from "../web/http/json-body.ts";
import { boundedBody, MAX_SMALL_BODY_BYTES } from "../web/http/request-body.ts";
import { CallError, invalidFields } from "./call-error.ts";

/** The characters of addresses, hex as well as base58, and the contract's bound of their number. */
const ADDRESS = /^[0-9A-Za-z]{1,64}$/;

/**
 * Returns the JSON object of a request. Unknown members are left to the caller to ignore.
 *
 * @throws CallError `invalid_argument`, with status 413 or 415 where the body isn't read
 */
export async function callBody(c: AuthContext): Promise<JsonObject> {
  const problem = jsonHeadersProblem(c.req.header("content-type"), c.req.header("content-encoding"));
  if (problem !== undefined) throw new CallError("invalid_argument", problem, { status: 415 });
  const bytes = await boundedBody(c, MAX_SMALL_BODY_BYTES);
  if (bytes === undefined) {
    throw new CallError("invalid_argument", bodyLengthProblem(MAX_SMALL_BODY_BYTES), { status: 413 });
  }
  const body = parseJsonObject(bytes);
  if (typeof body === "string") throw new CallError("invalid_argument", body);
  return body;
}

/**
 * Returns a field that holds a UUID, in canonical form.
 *
 * @throws CallError `invalid_argument`
 */
export function uuidField(body: JsonObject, name: string): string {
  const uuid = parseUuid(textField(body, name));
  if (uuid === undefined) throw invalid(name, "string.uuid", "must be a UUID");
  return uuid;
}

/** Returns a field that holds a wallet's address, which the entities service reads. @throws CallError `invalid_argument` */
export function walletField(body: JsonObject, name: string): string {
  const address = textField(body, name);
  if (!ADDRESS.test(address)) throw invalid(name, "wallet.form", "must be an address: 1 to 64 letters and digits");
  return address;
}

/**
 * Returns a field that holds text.
 *
 * @param maxCharacters its greatest length in UTF-16 units; none where the body's length is bound enough
 * @throws CallError `invalid_argument` if it is missing, empty, too long or no well-formed text
 */
export function textField(body: JsonObject, name: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  if (!Object.hasOwn(body, name)) throw invalid(name, "required", "is required");
  const value = body[name];
  if (typeof value !== "string") throw invalid(name, "string", "must be a string");
  if (value === "") throw invalid(name, "string.min_len", "must not be empty");
  if (value.length > maxCharacters)
    throw invalid(name, "string.max_len", `must have ${maxCharacters} characters at most`);
  if (!value.isWellFormed()) throw invalid(name, "string.well_formed", "must be well-formed Unicode");
  return value;
}

/** Returns what `read` makes of a field, or an empty text where the body doesn't have it. */
export function optionalField(
  body: JsonObject,
  name: string,
  read: (body: JsonObject, name: string) => string,
): string {
  return Object.hasOwn(body, name) ? read(body, name) : "";
}

function invalid(field: string, rule: string, message: string) {
  return invalidFields([{ field, rule, message }]);
}
