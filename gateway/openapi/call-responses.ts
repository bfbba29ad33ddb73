import { type NamedExamples, RETRY_AFTER } from "./responses.ts";
import { type Json, ref } from "./schema-parts.ts";

interface CallErrorExample {
  readonly description: string;
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
  readonly headers?: Json;
}

const CHALLENGE: Json = {
  "WWW-Authenticate": { description: "A challenge (RFC 6750 section 3).", schema: { type: "string" } },
};

const CALL_ERRORS = {
  400: {
    description: "The body isn't well-formed: `details.violations` names field and rule.",
    code: "invalid_argument",
    message: "SaleUUID: must be a UUID",
    details: { violations: [{ field: "SaleUUID", rule: "string.uuid", message: "must be a UUID" }] },
  },
  401: {
    description:
      "The access token is missing, expired, revoked or wrong: sign the user out, or refresh. No other cause has this status.",
    code: "unauthenticated",
    message: "The access token is unknown, expired or revoked.",
    headers: CHALLENGE,
  },
  403: {
    description: "The user doesn't grant the scope, or `SaleUUID` isn't the sale of the access token.",
    code: "permission_denied",
    message: "The access token is for another sale.",
  },
  404: {
    description: "The application sees no such entity, or the wallet belongs to none.",
    code: "not_found",
    message: "There is no such entity.",
  },
  413: {
    description: "The body is too large.",
    code: "invalid_argument",
    message: "The request body must not be larger than 16384 bytes.",
  },
  415: {
    description: "The body isn't `application/json`, isn't in UTF-8 by its `charset`, or is compressed.",
    code: "invalid_argument",
    message: "Content-Type must be application/json.",
  },
  429: {
    description: "Too many requests.",
    code: "resource_exhausted",
    message: "There are too many requests.",
    headers: RETRY_AFTER,
  },
  500: {
    description: "Our fault; `details.id` finds the cause in the operator's log.",
    code: "internal",
    message: "Something went wrong on our side.",
    details: { id: "5b0ec5a2-7f0c-4c5f-9d36-0e5fd9b3d0c1" },
  },
  503: {
    description: "A service is away for a moment.",
    code: "unavailable",
    message: "This can't be answered at the moment.",
    headers: RETRY_AFTER,
  },
  504: {
    description: "A service took too long.",
    code: "deadline_exceeded",
    message: "This took too long.",
  },
} as const satisfies Readonly<Record<number, CallErrorExample>>;

export type CallErrorStatus = keyof typeof CALL_ERRORS;

/** Returns errors of the calls for a user by status, with those of HTTP itself as `default`. */
export function callErrors(...statuses: readonly CallErrorStatus[]): Json {
  const errors = statuses.map((status): [string, Json] => [`${status}`, callError(CALL_ERRORS[status])]);
  return { ...Object.fromEntries(errors), default: OTHER_ERRORS };
}

/** Returns an error of these calls. */
export function callError({ description, code, message, details = {}, headers }: CallErrorExample): Json {
  const content = { "application/json": { schema: ref("Error"), example: { code, message, details } } };
  return { description, ...(headers !== undefined && { headers }), content };
}

/** Returns a 400 of which there are several examples, beside that of a body that isn't well-formed. */
export function callRefusal(description: string, examples: NamedExamples): Json {
  const { code, message, details } = CALL_ERRORS[400];
  const malformed = { summary: "The body isn't well-formed", value: { code, message, details } };
  const content = { schema: ref("Error"), examples: { ...examples, malformed } };
  return { description, content: { "application/json": content } };
}

const OTHER_ERRORS = callError({
  description:
    "Any other error has the same shape: another method (405), a deployment in which nobody takes part (501), or a request that HTTP itself doesn't let pass, such as one that takes too long to arrive (408) or has headers that are too large (431).",
  code: "unimplemented",
  message: "This path answers POST, OPTIONS only.",
});

/** Status and code of every documented error, as `404 not_found`. */
export const CALL_ERROR_CODES: readonly string[] = Object.entries(CALL_ERRORS).map(
  ([status, { code }]) => `${status} ${code}`,
);
