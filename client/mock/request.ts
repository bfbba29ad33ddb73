import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { documentedError, type MockCall } from "./call.ts";
import type { Operation, Schema } from "./document.ts";
import { type JsonObject, parseObject } from "./json.ts";
import { callError, invalidFields, MockError } from "./mock-error.ts";
import { schemaViolations } from "./schema-violations.ts";
import type { Grant } from "./tokens.ts";

/** Bound of a request's body, in bytes, as at the service. */
const MAX_BODY_BYTES = 16 * 1024;
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** Parameters of paths. */
const PATH_FIELDS: Schema = { properties: { SaleUUID: { type: "string", format: "uuid" } } };
const AUTHORIZATION = /^(?:api:)?bearer +(\S+)$/i;

/** Reads a request's body. @returns undefined for one that is too large */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : new TextDecoder().decode(Buffer.concat(chunks));
}

/** Returns a body's fields. @throws MockError 413, 415, or 400 for what isn't an object or a form */
export function fieldsOf(operation: Operation, body: string | undefined, contentType: string): JsonObject {
  if (operation.request === undefined) return {};
  if (body === undefined) throw documentedError({ operation }, 413);
  const mediaType = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (operation.request[mediaType] === undefined) throw documentedError({ operation }, 415);
  if (mediaType === FORM) return Object.fromEntries(new URLSearchParams(body));
  return parseObject(body) ?? refuseBody(operation);
}

function refuseBody(operation: Operation): never {
  const message = "The request body must be a JSON object.";
  if (operation.request?.[FORM] === undefined) throw callError(400, "invalid_argument", message);
  throw new MockError(400, { error: "invalid_request", error_description: message });
}

/** Holds the fields of a call against its schema. The OAuth endpoints, which have another shape of error, do so themselves. */
export function checkFields({
  document,
  operation,
  fields,
}: Pick<MockCall, "document" | "operation" | "fields">): void {
  const { [JSON_TYPE]: content, [FORM]: form } = operation.request ?? {};
  if (form !== undefined) return;
  const violations = schemaViolations(document, content?.schema ?? PATH_FIELDS, fields);
  if (violations.length > 0) throw invalidFields(violations);
}

/**
 * Returns the grant of the access token, where an operation wants one.
 *
 * @throws MockError 401 without a token that is good, 403 without the scope
 */
export async function grantOf(call: Pick<MockCall, "operation" | "tokens" | "headers">): Promise<Grant | undefined> {
  const { operation, tokens, headers } = call;
  if (operation.scopes === undefined) return undefined;
  const [, token = ""] = AUTHORIZATION.exec(headers.get("authorization") ?? "") ?? [];
  const grant = await tokens.read(token);
  if (grant === undefined) throw documentedError(call, 401);
  const granted = grant.scope.split(" ");
  if (!operation.scopes.every((scope) => granted.includes(scope))) throw documentedError(call, 403);
  return grant;
}
