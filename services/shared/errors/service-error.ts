/** The error codes that a service answers with, named as in the Connect protocol. */
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
  /** Path of the field as the proto names it, such as `definition.auction.increment_ticks` or `upserts[3].amounts[0].token`. */
  readonly field: string;
  /** Short stable name of the rule, such as `payment_token.unknown`. */
  readonly rule: string;
  /** For people: what must hold. */
  readonly message: string;
}

/** What went wrong, in terms that the caller may see. Anything else that is thrown is an internal error. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** Only with `invalid_argument`. */
  readonly violations: readonly Violation[];
  /** With `resource_exhausted`, where it is known: when to try again, in whole seconds from now. */
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
