import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { ValidationError, violationsToProto } from "@bufbuild/protovalidate";
import {
  type FieldPath,
  type FieldPathElement,
  type FieldPathSchema,
  type Violations,
  ViolationsSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, ConnectError } from "@connectrpc/connect";
import { invalidArgument, ServiceError, type ServiceErrorCode, type Violation } from "../errors/service-error.ts";

/** The most violations in one error. gRPC sends them in trailers, which many clients limit to 8 KiB. */
export const MAX_VIOLATIONS = 10;
const MAX_MESSAGE_LENGTH = 2_000;
/** The metadata for `retryAfterSeconds`, like HTTP's header (RFC 9110 section 10.2.3). */
export const RETRY_AFTER = "retry-after";

const CODES: Readonly<Record<ServiceErrorCode, Code>> = {
  invalid_argument: Code.InvalidArgument,
  not_found: Code.NotFound,
  already_exists: Code.AlreadyExists,
  failed_precondition: Code.FailedPrecondition,
  aborted: Code.Aborted,
  permission_denied: Code.PermissionDenied,
  unauthenticated: Code.Unauthenticated,
  resource_exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  deadline_exceeded: Code.DeadlineExceeded,
};

/**
 * Messages for Connect's own errors that a handler may pass on, from a signal or a service that it calls. Their own
 * texts name hosts and files, so the caller gets these instead.
 */
const PASSED_ON: ReadonlyMap<Code, string> = new Map([
  [Code.Canceled, "the call was canceled"],
  [Code.DeadlineExceeded, "the deadline has passed"],
  [Code.Unavailable, "temporarily unavailable, try again"],
  [Code.Unimplemented, "the method is not implemented"],
]);

/**
 * The error for the caller, for anything that a handler threw. A `ServiceError` keeps its code, message, violations (a
 * `buf.validate.Violations` detail) and time to wait (`retry-after` metadata). protovalidate's errors get the same form.
 * Anything else is `internal` with a random ID in the message; `reportInternal` gets that ID and the error, to log them.
 */
export function toConnectError(
  error: unknown,
  reportInternal: (errorId: string, error: unknown) => void,
): ConnectError {
  if (error instanceof ServiceError) return fromServiceError(error);
  if (error instanceof ConnectError) {
    if (error.cause instanceof ValidationError) return fromValidationError(error.cause);
    const message = PASSED_ON.get(error.code);
    if (message !== undefined) return new ConnectError(message, error.code, undefined, undefined, error);
  }
  const errorId = randomUUID();
  reportInternal(errorId, error);
  return new ConnectError(`internal error ${errorId}`, Code.Internal);
}

/**
 * The error that the service threw, for its client. Undefined for codes that services don't choose (`internal`,
 * `canceled`, `unimplemented`, `unknown`, …) and for anything but a `ConnectError`: those are failures of the call
 * itself.
 */
export function toServiceError(error: unknown): ServiceError | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const code = serviceErrorCode(error.code);
  if (code === undefined) return undefined;
  const violations = error.findDetails(ViolationsSchema).flatMap(({ violations }) => violations);
  const retryAfterSeconds = wholeSeconds(error.metadata.get(RETRY_AFTER));
  return new ServiceError(code, error.rawMessage, {
    violations: violations.map(fromProto),
    retryAfterSeconds,
    cause: error,
  });
}

function wholeSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function serviceErrorCode(code: Code): ServiceErrorCode | undefined {
  const names = Object.keys(CODES) as ServiceErrorCode[];
  return names.find((name) => CODES[name] === code);
}

function fromServiceError({ code, message, violations, retryAfterSeconds }: ServiceError): ConnectError {
  const listed = violations.slice(0, MAX_VIOLATIONS);
  const text = listed.length < violations.length ? summary(listed, violations.length) : message;
  const error = connectError(text, CODES[code], create(ViolationsSchema, { violations: listed.map(toProto) }));
  if (retryAfterSeconds !== undefined) error.metadata.set(RETRY_AFTER, String(retryAfterSeconds));
  return error;
}

function fromValidationError({ violations }: ValidationError): ConnectError {
  const listed = violations.slice(0, MAX_VIOLATIONS);
  const named = listed.map(({ field, ruleId, message }) => ({ field: pathToString(field), rule: ruleId, message }));
  return connectError(summary(named, violations.length), Code.InvalidArgument, violationsToProto(listed)[0]);
}

function summary(listed: readonly Violation[], total: number): string {
  const { message } = invalidArgument(listed);
  return listed.length < total ? `${message}; and ${total - listed.length} more` : message;
}

function connectError(message: string, code: Code, violations: Violations): ConnectError {
  const text = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
  const details = violations.violations.length === 0 ? [] : [{ desc: ViolationsSchema, value: violations }];
  return new ConnectError(text, code, undefined, details);
}

function toProto({ field, rule, message }: Violation) {
  return { ...(field === "" ? {} : { field: parseFieldPath(field) }), ruleId: rule, message };
}

function fromProto({ field, ruleId, message }: Violations["violations"][number]): Violation {
  return { field: formatFieldPath(field), rule: ruleId, message };
}

const SEGMENT = /^([A-Za-z_]\w*)(?:\[(0|[1-9]\d{0,18})\])?$/;

/**
 * The `buf.validate.FieldPath` of a path such as `upserts[3].amounts[0].token`. A text that is no such path becomes a
 * single element.
 */
export function parseFieldPath(text: string): MessageInitShape<typeof FieldPathSchema> {
  const segments = text.split(".").map((segment) => SEGMENT.exec(segment));
  if (!segments.every((segment) => segment !== null)) return { elements: [{ fieldName: text }] };
  return {
    elements: segments.map(([, fieldName, index]) =>
      index === undefined
        ? { fieldName: fieldName ?? "" }
        : { fieldName: fieldName ?? "", subscript: { case: "index", value: BigInt(index) } },
    ),
  };
}

/** The text of a field path. Keys of maps are written as in JSON. */
export function formatFieldPath(path: FieldPath | undefined): string {
  return path?.elements.map((element) => `${element.fieldName}${formatSubscript(element.subscript)}`).join(".") ?? "";
}

function formatSubscript(subscript: FieldPathElement["subscript"]): string {
  if (subscript.case === undefined) return "";
  return `[${subscript.case === "stringKey" ? JSON.stringify(subscript.value) : subscript.value}]`;
}
