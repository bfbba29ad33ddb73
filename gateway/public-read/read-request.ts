import type { IncomingMessage } from "node:http";
import { isJson } from "../web/http/content-negotiation.ts";
import { declaredLength } from "../web/http/early-refusal.ts";
import { invalidField, PublicError } from "../web/http/public-error.ts";
import { parseSaleUuid, SALE_UUID_FIELD } from "../web/http/sale-uuid.ts";

const UUID_LENGTH = 36;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What is wrong with a read request before its body is looked at; `undefined` where nothing is. */
export function headerError(request: IncomingMessage, maxBytes: number): PublicError | undefined {
  const { headers } = request;
  if (!isJson(headers["content-type"])) return unsupported("Content-Type must be application/json.");
  if (headers["content-encoding"] !== undefined) return unsupported("The request body must not be encoded.");
  return declaredLength(request) > maxBytes && headers["transfer-encoding"] === undefined
    ? bodyTooLarge(maxBytes)
    : undefined;
}

export function bodyTooLarge(maxBytes: number): PublicError {
  const message = `The request body must not be larger than ${maxBytes} bytes.`;
  return new PublicError("invalid_argument", message, { status: 413 });
}

/**
 * The sale's UUID from a body in the usual form `{"SaleUUID":"…"}`, without parsing it. What it returns is unchecked
 * but stands between these very bytes: where it equals a UUID, parsing the body would have given the same.
 */
export function peekSaleUuid(body: Buffer): string | undefined {
  const text = body.toString("latin1");
  const isUsual = text.startsWith('{"SaleUUID":') && text.endsWith('"}');
  if (!isUsual) return undefined;
  const gap = text.slice(12, -UUID_LENGTH - 2);
  return gap === '"' || gap === ' "' ? text.slice(-UUID_LENGTH - 2, -2) : undefined;
}

/**
 * The sale's UUID, in canonical form, from the body of a read request. Unknown fields are ignored; of a field that
 * comes twice the last counts, as in ECMAScript.
 *
 * @throws PublicError `invalid_argument`
 */
export function parseReadRequest(body: Buffer): string {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PublicError("invalid_argument", "The request body must be a JSON object.");
  }
  if (!Object.hasOwn(value, SALE_UUID_FIELD)) throw invalidField(SALE_UUID_FIELD, "required", "is required");
  return parseSaleUuid((value as Record<string, unknown>)[SALE_UUID_FIELD]);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new PublicError("invalid_argument", "The request body must be valid JSON in UTF-8.");
  }
}

function unsupported(message: string): PublicError {
  return new PublicError("invalid_argument", message, { status: 415 });
}
