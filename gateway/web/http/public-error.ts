import type { ServerResponse } from "node:http";
import type { Violation } from "../../../common/platform/errors/service-error.ts";
import { PUBLIC_HEADERS, type RawHeaders } from "./public-headers.ts";

/** The codes of the gateway's errors, named as in the Connect protocol. */
export type PublicErrorCode =
  | "invalid_argument"
  | "not_found"
  | "unimplemented"
  | "resource_exhausted"
  | "unavailable"
  | "deadline_exceeded"
  | "internal";

/** The usual status of a code. */
const STATUS: Readonly<Record<PublicErrorCode, number>> = {
  invalid_argument: 400,
  not_found: 404,
  unimplemented: 405,
  resource_exhausted: 429,
  unavailable: 503,
  deadline_exceeded: 504,
  internal: 500,
};

export interface PublicErrorOptions {
  /** A more exact status than the usual one of the code, such as 413 or 415 for `invalid_argument`. */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: RawHeaders;
  /** The body, below a path whose errors have a shape of their own. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A public error, whose body is `{code, message, details}` (system description, section 7) unless it has another. */
export class PublicError extends Error {
  readonly code: PublicErrorCode;
  readonly status: number;
  readonly headers: RawHeaders;
  /** UTF-8 JSON. */
  readonly body: Buffer;

  constructor(code: PublicErrorCode, message: string, options: PublicErrorOptions = {}) {
    super(message);
    this.name = "PublicError";
    this.code = code;
    this.status = options.status ?? STATUS[code];
    this.body = Buffer.from(JSON.stringify(options.body ?? { code, message, details: options.details ?? {} }));
    this.headers = [
      "Content-Type",
      "application/json",
      "Content-Length",
      String(this.body.length),
      "Cache-Control",
      "no-store",
      ...PUBLIC_HEADERS,
      ...(options.headers ?? []),
    ];
  }
}

/** Returns an `invalid_argument` that names the field and the rule that it breaks. */
export function invalidField(field: string, rule: string, message: string): PublicError {
  const violation: Violation = { field, rule, message };
  return new PublicError("invalid_argument", `${field}: ${message}`, { details: { violations: [violation] } });
}

/** Returns a 503 that asks to retry after a second. */
export function unavailable(message: string, options: Pick<PublicErrorOptions, "body"> = {}): PublicError {
  return new PublicError("unavailable", message, { ...options, headers: ["Retry-After", "1"] });
}

/** Returns a 429 that asks to retry after a second. */
export function tooMany(message: string): PublicError {
  return new PublicError("resource_exhausted", message, { headers: ["Retry-After", "1"] });
}

/** Returns a 500 with the ID under which the log has the cause. */
export function internalError(id: string): PublicError {
  return new PublicError("internal", "Something went wrong on our side.", { details: { id } });
}

/** Sends an error as the whole answer; a HEAD request gets its headers only. */
export function sendError(response: ServerResponse, error: PublicError): void {
  response.writeHead(error.status, [...error.headers]);
  response.end(error.body);
}
