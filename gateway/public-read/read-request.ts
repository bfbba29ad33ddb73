import type { IncomingMessage, ServerResponse } from "node:http";
import { receiveBody } from "../../common/platform/http/request-body.ts";
import { declaredLength } from "../web/http/early-refusal.ts";
import type { ErrorResponder } from "../web/http/error-responder.ts";
import { bodyLengthProblem, type JsonObject, jsonHeadersProblem, parseJsonObject } from "../web/http/json-body.ts";
import { invalidField, PublicError } from "../web/http/public-error.ts";
import { parseSaleUuid, SALE_UUID_FIELD } from "../web/http/sale-uuid.ts";

const UUID_LENGTH = 36;

/** Returns the error of a read request's headers; undefined where they are right. */
function headerError(request: IncomingMessage, maxBytes: number): PublicError | undefined {
  const { headers } = request;
  const problem = jsonHeadersProblem(headers["content-type"], headers["content-encoding"]);
  if (problem !== undefined) return new PublicError("invalid_argument", problem, { status: 415 });
  return declaredLength(request) > maxBytes && headers["transfer-encoding"] === undefined
    ? bodyTooLarge(maxBytes)
    : undefined;
}

function bodyTooLarge(maxBytes: number): PublicError {
  return new PublicError("invalid_argument", bodyLengthProblem(maxBytes), { status: 413 });
}

/** The limit of a body, and what answers a request whose headers or length are refused. */
export interface ReadLimits {
  readonly maxRequestBytes: number;
  readonly errors: Pick<ErrorResponder, "refuse">;
}

/** Gives a `POST`'s whole body to `take`. Answers itself, without reading on, where the headers or the length are refused. */
export function receiveReadBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxRequestBytes, errors }: ReadLimits,
  take: (body: Buffer) => void,
): void {
  const error = headerError(request, maxRequestBytes);
  if (error !== undefined) {
    errors.refuse(request, response, error);
    return;
  }
  const done = (body: Buffer | undefined): void => {
    if (body === undefined) errors.refuse(request, response, bodyTooLarge(maxRequestBytes));
    else take(body);
  };
  receiveBody(request, maxRequestBytes, done, undefined);
}

/**
 * Returns the text in the place of the UUID in a body of the usual form `{"SaleUUID":"…"}`, without parsing the body.
 * The text is unchecked. If it is a UUID, parsing the body would give the same one.
 */
export function peekSaleUuid(body: Buffer): string | undefined {
  const text = body.toString("latin1");
  const isUsual = text.startsWith('{"SaleUUID":') && text.endsWith('"}');
  if (!isUsual) return undefined;
  const gap = text.slice(12, -UUID_LENGTH - 2);
  return gap === '"' || gap === ' "' ? text.slice(-UUID_LENGTH - 2, -2) : undefined;
}

/**
 * Returns the sale's UUID, in canonical form, from the body of a read request. Unknown fields are ignored. If a field
 * comes twice, the last one counts, as in ECMAScript.
 *
 * @throws PublicError `invalid_argument`
 */
export function parseReadRequest(body: Buffer): string {
  return parseSaleUuid(requiredField(parseReadBody(body), SALE_UUID_FIELD));
}

/** Returns the object in a body. @throws PublicError `invalid_argument` */
export function parseReadBody(body: Buffer): JsonObject {
  const value = parseJsonObject(body);
  if (typeof value === "string") throw new PublicError("invalid_argument", value);
  return value;
}

/** @throws PublicError `invalid_argument` that names a field that isn't there */
export function requiredField(value: JsonObject, field: string): unknown {
  if (!Object.hasOwn(value, field)) throw invalidField(field, "required", "is required");
  return value[field];
}
