import { type Json, ref } from "./schema-parts.ts";

export const RETRY_AFTER: Json = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

/** Returns a `200` with JSON. */
export function jsonResponse(description: string, schema: string, example: Json, headers: Json = {}): Json {
  return { description, headers, content: { "application/json": { schema: ref(schema), example } } };
}

/** Examples of a body by name. */
export type NamedExamples = Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;

/** Returns a `200` with JSON of which there are several examples. */
export function jsonExamples(description: string, schema: string, examples: NamedExamples, headers: Json = {}): Json {
  return { description, headers, content: { "application/json": { schema: ref(schema), examples } } };
}

interface ErrorExample {
  readonly status: number;
  readonly code: string;
  readonly description: string;
  readonly message: string;
  readonly details?: Json;
  readonly retries?: boolean;
}

function errorResponse({ code, description, message, details = {}, retries = false }: ErrorExample): Json {
  const content = { "application/json": { schema: ref("Error"), example: { code, message, details } } };
  return { description, ...(retries && { headers: RETRY_AFTER }), content };
}

const PUBLIC_ERRORS = {
  badRequest: {
    status: 400,
    code: "invalid_argument",
    description: "What was asked isn't well-formed: `details.violations` names field and rule.",
    message: "SaleUUID: must be a UUID",
    details: { violations: [{ field: "SaleUUID", rule: "string.uuid", message: "must be a UUID" }] },
  },
  notFound: {
    status: 404,
    code: "not_found",
    description: "No such sale, or it isn't open yet.",
    message: "There is no such sale.",
  },
  tooLarge: {
    status: 413,
    code: "invalid_argument",
    description: "The body is too large.",
    message: "The request body must not be larger than 16384 bytes.",
  },
  unsupported: {
    status: 415,
    code: "invalid_argument",
    description: "The body isn't `application/json`, isn't in UTF-8 by its `charset`, or is compressed.",
    message: "Content-Type must be application/json.",
  },
  tooMany: {
    status: 429,
    code: "resource_exhausted",
    description: "Too many streams from one address.",
    message: "There are too many streams from this address.",
    retries: true,
  },
  tooManyReads: {
    status: 429,
    code: "resource_exhausted",
    description: "Too many wallets are being looked up at once, from one address or in all.",
    message: "Too many wallets are being looked up at the moment.",
    retries: true,
  },
  internal: {
    status: 500,
    code: "internal",
    description: "Our fault; `details.id` finds the cause in the operator's log.",
    message: "Something went wrong on our side.",
    details: { id: "5b0ec5a2-7f0c-4c5f-9d36-0e5fd9b3d0c1" },
  },
  unavailable: {
    status: 503,
    code: "unavailable",
    description: "The figures can't be read now.",
    message: "The sale's figures can't be read at the moment.",
    retries: true,
  },
  timeout: {
    status: 504,
    code: "deadline_exceeded",
    description: "Reading the figures took too long.",
    message: "The sale's figures took too long to read.",
  },
} as const satisfies Readonly<Record<string, ErrorExample>>;

export type PublicErrorName = keyof typeof PUBLIC_ERRORS;

/** Returns errors of the public read by status, with those of HTTP itself as `default`. */
export function publicErrors(...names: readonly PublicErrorName[]): Json {
  const errors = names.map((name): [string, Json] => [
    `${PUBLIC_ERRORS[name].status}`,
    errorResponse(PUBLIC_ERRORS[name]),
  ]);
  return { ...Object.fromEntries(errors), default: OTHER_ERRORS };
}

const OTHER_ERRORS = errorResponse({
  status: 431,
  code: "invalid_argument",
  description:
    "Any other error has the same shape: another method (405), or a request that HTTP itself doesn't let pass, such as one that takes too long to arrive (408), expects something else than `100-continue` (417) or has headers that are too large (431).",
  message: "The request's headers are too large.",
});

const OAUTH_ERRORS: Readonly<
  Record<number, { readonly error: string; readonly description: string; readonly message: string }>
> = {
  400: {
    error: "invalid_grant",
    description: "The request is invalid.",
    message: "code is unknown, expired or revoked",
  },
  401: {
    error: "invalid_client",
    description:
      "`client_id` isn't that of an enabled client, its assertion is missing or refused, or a secret was sent. Only where that was tried by HTTP Basic, the answer has `WWW-Authenticate` (RFC 6749 section 5.2).",
    message: "client_id is unknown, or the client is disabled",
  },
  413: {
    error: "invalid_request",
    description: "The body is too large.",
    message: "the body is larger than 16384 bytes",
  },
  415: {
    error: "invalid_request",
    description: "The body is neither a form nor JSON.",
    message: "the body must be application/x-www-form-urlencoded or application/json",
  },
  429: {
    error: "temporarily_unavailable",
    description: "Too many requests.",
    message: "too many requests, try again later",
  },
  500: {
    error: "server_error",
    description: "Our fault; the ID finds the cause in the operator's log.",
    message: "internal error 5b0ec5a2-7f0c-4c5f-9d36-0e5fd9b3d0c1",
  },
  503: { error: "temporarily_unavailable", description: "Sign-in is away for a moment.", message: "try again later" },
};

/** Returns errors of the endpoints that applications call, by status. */
export function oauthErrors(...statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [`${status}`, oauthError(status)]));
}

function oauthError(status: number): Json {
  const { error = "", description = "", message = "" } = OAUTH_ERRORS[status] ?? {};
  const example = { error, error_description: message };
  const content = { "application/json": { schema: ref("OAuthError"), example } };
  return { description, ...((status === 429 || status === 503) && { headers: RETRY_AFTER }), content };
}

/** Returns errors of pages, by status. */
export function pageErrors(descriptions: Readonly<Record<number, string>>): Json {
  const pages = Object.entries(descriptions).map(([status, description]): [string, Json] => [
    status,
    { description, content: { "text/html": { schema: { type: "string" } } } },
  ]);
  return Object.fromEntries(pages);
}
