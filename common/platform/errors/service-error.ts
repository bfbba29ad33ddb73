/** The error codes of services, named as in the Connect protocol. */
export type ServiceErrorCode =
  | "invalid_argument"
  | "not_found"
  | "already_exists"
  | "failed_precondition"
  | "aborted"
  | "permission_denied"
  | "unauthenticated"
  | "resource_exhausted"
  | "unavailable"
  | "deadline_exceeded";

/** A rule that a request breaks. */
export interface Violation {
  /** Path of the field, with the proto's names: `definition.auction.increment_ticks` or `upserts[3].amounts[0].token`. */
  readonly field: string;
  /** Short stable name of the rule, such as `payment_token.unknown`. */
  readonly rule: string;
  /** The rule in words, for people. */
  readonly message: string;
}

/** An error whose code and message the caller may see. Any other error that is thrown is an internal error. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** With `invalid_argument`, and with other codes that a field of the request is the reason for. */
  readonly violations: readonly Violation[];
  /** Whole seconds until the caller may try again, if known. Only with `resource_exhausted`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options?: { violations?: readonly Violation[]; retryAfterSeconds?: number | undefined; cause?: unknown },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.violations = options?.violations ?? [];
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/** An `invalid_argument` error whose message names every violated field. */
export function invalidArgument(violations: readonly Violation[]): ServiceError {
  const message = violations.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)).join("; ");
  return new ServiceError("invalid_argument", message, { violations });
}

/** A `failed_precondition` error that names the rule in its way, which is about the whole request. */
export function refusedByRule(rule: string, message: string): ServiceError {
  return new ServiceError("failed_precondition", message, { violations: [{ field: "", rule, message }] });
}
