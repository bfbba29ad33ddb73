import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Violation } from "../../common/platform/errors/service-error.ts";

/** The codes of errors of these calls, named as in the Connect protocol. */
export type CallErrorCode =
  | "invalid_argument"
  | "failed_precondition"
  | "unauthenticated"
  | "permission_denied"
  | "not_found"
  | "resource_exhausted"
  | "internal"
  | "unimplemented"
  | "unavailable"
  | "deadline_exceeded";

/** The usual status of a code. */
const STATUS: Readonly<Record<CallErrorCode, ContentfulStatusCode>> = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  resource_exhausted: 429,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
  deadline_exceeded: 504,
};

export interface CallErrorOptions {
  /** A more exact status than the usual one of the code, such as 413. */
  readonly status?: ContentfulStatusCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of a call, answered as `{code, message, details}`. */
export class CallError extends Error {
  readonly code: CallErrorCode;
  readonly status: ContentfulStatusCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: CallErrorCode, message: string, options: CallErrorOptions = {}) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.status = options.status ?? STATUS[code];
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** Returns an `invalid_argument` that names every field with the rule that it breaks. */
export function invalidFields(violations: readonly Violation[]): CallError {
  const message = violations.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return new CallError("invalid_argument", message, { details: { violations } });
}
