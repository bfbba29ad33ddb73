import { identityCallbackPath, MAX_CALLBACK_BYTES } from "../public-calls/identity-callbacks.ts";
import { bodyLengthProblem } from "../web/http/json-body.ts";
import { callError, callErrors } from "./call-responses.ts";
import { type Json, ref } from "./schema-parts.ts";

const EXAMPLE = {
  type: "setup.updated",
  handle: "PzI9mHcTn0yfNQfR1Jp0pQGv3z7m3dR0m0hVd2yB6kQ",
  state: "complete",
  reference: "applicant-4711",
  country: "DE",
  occurredAt: "2026-01-31T12:00:00Z",
};

const HEADERS = [
  ["webhook-id", "By the Standard Webhooks rules, as the two that follow; repetitions have the same."],
  ["webhook-timestamp", "Seconds since 1970, at most five minutes from now."],
  ["webhook-signature", "One or more of `v1,` and base64, with spaces between."],
  ["Persona-Signature", "`t=…,v1=…`, one or two with a space between, where Persona checks identities."],
] as const;

const UNSIGNED = callError({
  description: "The signature is wrong, missing or too old.",
  code: "unauthenticated",
  message: "The signature of the callback is wrong, or its time.",
  headers: { "WWW-Authenticate": { description: "What is missing.", schema: { type: "string" } } },
});

const INVALID = callError({
  description: "A header or a field of the body isn't well-formed: `details.violations` names field and rule.",
  code: "invalid_argument",
  message: "occurredAt: must be the time of the event",
  details: {
    violations: [{ field: "occurredAt", rule: "callback.occurredAt", message: "must be the time of the event" }],
  },
});

const ELSEWHERE = callError({
  description: "No vendor checks identities in this deployment.",
  code: "not_found",
  message: "This deployment takes no callbacks.",
});

const TOO_LARGE = callError({
  description: "The body is too large.",
  code: "invalid_argument",
  message: bodyLengthProblem(MAX_CALLBACK_BYTES),
});

const COMPRESSED = callError({
  description: "The body is compressed.",
  code: "invalid_argument",
  message: "The body must not be compressed.",
});

const REPORT: Json = {
  operationId: "POST:identity.Callback",
  tags: ["Taking part"],
  summary: "Report how far an identity check is",
  description:
    "For the vendor that checks identities, whose signature is in the headers. The body is either ours, described here, or an event of Persona. A callback that was received before, is older than what is known, or is of nobody who is known succeeds and changes nothing. Web pages can't call it (no CORS).",
  security: [],
  parameters: HEADERS.map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string", maxLength: 1024 },
  })),
  requestBody: {
    required: true,
    description: "256 KiB at most, not compressed.",
    content: { "application/json": { schema: ref("IdentityCallback"), example: EXAMPLE } },
  },
  responses: {
    204: { description: "Taken; the answer is empty." },
    ...callErrors(429, 500, 503, 504),
    400: INVALID,
    401: UNSIGNED,
    404: ELSEWHERE,
    413: TOO_LARGE,
    415: COMPRESSED,
  },
};

const text = (description: string, more: Json = {}): Json => ({ type: "string", description, ...more });

/** The schemas of callbacks. */
export const IDENTITY_CALLBACK_SCHEMAS: Readonly<Record<string, Json>> = {
  IdentityCallback: {
    type: "object",
    description: "A callback by the Standard Webhooks rules; Persona's events have their own body.",
    required: ["type"],
    properties: {
      type: text("`setup.updated` or `liveness.passed`; others are ignored."),
      handle: text("That of the start URL. Without it, `reference` names an entity that was approved before.", {
        maxLength: 200,
      }),
      state: text("How far the check is.", {
        enum: [
          "in_progress",
          "ready_for_review",
          "in_review",
          "failure",
          "failure_final",
          "technical_issue",
          "complete",
        ],
      }),
      reference: text("The vendor's name of the person or organization. Required for `complete`.", { maxLength: 200 }),
      country: text("ISO 3166-1 alpha-2. Required for `complete`.", { pattern: "^[A-Z]{2}$" }),
      reason: text("Why it was refused; the user reads it.", { maxLength: 5000 }),
      occurredAt: text("When the state came about.", { format: "date-time" }),
      approvalEndsAt: text("When the approval ends.", { format: "date-time" }),
    },
  },
};

/** Returns the path of callbacks. @param prefix first segment of the public paths */
export function identityCallbackOperations(prefix: string): Json {
  return { [identityCallbackPath(prefix)]: { post: REPORT } };
}
