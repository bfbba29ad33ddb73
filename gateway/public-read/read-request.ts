import type { IncomingMessage } from "node:http";
import { jsonTypeProblem } from "../web/http/content-negotiation.ts";
import { declaredLength } from "../web/http/early-refusal.ts";
import { invalidField, PublicError } from "../web/http/public-error.ts";
import { parseSaleUuid, SALE_UUID_FIELD } from "../web/http/sale-uuid.ts";

const UUID_LENGTH = 36;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the error of a read request's headers; undefined where they are right. */
export function headerError(request: IncomingMessage, maxBytes: number): PublicError | undefined {
  const { headers } = request;
  const problem = jsonTypeProblem(headers["content-type"]);
  if (problem !== undefined) return unsupported(problem);
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
