import { invalidArgument, ServiceError, type Violation } from "../../../common/platform/errors/service-error.ts";
import { isCountryCode } from "../../../common/platform/names/country.ts";
import type { SetupState } from "../base/entity.ts";
import type { VendorConfig } from "../base/identity-config.ts";
import { VENDOR_CLOCK_TOLERANCE_MS } from "../base/lifetimes.ts";
import { cleanReason } from "./setup-outcome.ts";

/** A callback as the gateway received it: the headers that a signature may be in, and the body. */
export interface ReceivedCallback {
  readonly webhookId: string;
  readonly webhookTimestamp: string;
  readonly webhookSignature: string;
  readonly personaSignature: string;
  readonly body: Uint8Array;
}

/**
 * Checks that the vendor has signed a callback a short time ago, and reads it.
 *
 * @returns its ID, by which repetitions are known, and its content: undefined if it says nothing about an entity
 * @throws ServiceError `unauthenticated`; `invalid_argument` naming each wrong field
 */
export type CallbackReader = (
  vendor: VendorConfig,
  received: ReceivedCallback,
  nowMs: bigint,
) => { readonly messageId: string; readonly callback: Callback | undefined };

/** The content of a callback of a vendor. Times are milliseconds since 1970. */
export interface Callback {
  /** The purpose of the check; `by_handle`: the one for which its handle was made. */
  readonly kind: "setup" | "liveness" | "by_handle";
  /** The handle of a start URL; empty if the reference names the entity. */
  readonly handle: string;
  /** The vendor's name of this check where a start URL may begin several; empty otherwise. */
  readonly inquiry: string;
  /** The vendor's own name of the person or organization; empty if it isn't known. */
  readonly reference: string;
  readonly occurredAtMs: bigint;
  /** The state of a set-up; `not_started` for a proof that a person is present. */
  readonly state: SetupState;
  readonly reason: string;
  /** ISO 3166-1 alpha-2; empty unless the state is complete. */
  readonly country: string;
  /** Undefined if the vendor names no end of the approval. */
  readonly approvalEndsAtMs: bigint | undefined;
  /** Why the identity of an approval can't be used, though the check that its handle names has ended; empty otherwise. */
  readonly identityProblems: readonly Violation[];
}

const STATES: ReadonlySet<string> = new Set([
  "in_progress",
  "ready_for_review",
  "in_review",
  "failure",
  "failure_final",
  "technical_issue",
  "complete",
]);
const MAX_REFERENCE_CHARACTERS = 200;
const MAX_HANDLE_CHARACTERS = 200;
/** RFC 3339 with any offset. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads the body of a callback whose signature is right.
 *
 * @returns undefined for a type of event that says nothing about an entity: vendors send others, too
 * @throws ServiceError `invalid_argument` naming each wrong field
 */
export function parseCallback(body: string, nowMs: bigint): Callback | undefined {
  const fields = parseObject(body);
  const type = fields["type"];
  if (type !== "setup.updated" && type !== "liveness.passed") return undefined;
  const kind = type === "setup.updated" ? "setup" : "liveness";
  const problems: Violation[] = [];
  const callback = readFields(fields, kind, problems);
  return checkedCallback(callback, nowMs, problems);
}

/** An object of JSON. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws ServiceError `invalid_argument` */
export function parseObject(body: string): JsonFields {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    // As for JSON that is no object.
  }
  throw invalidArgument([{ field: "body", rule: "body.json", message: "must be a JSON object" }]);
}

/** Returns a time of RFC 3339 in milliseconds since 1970; undefined for any other text. */
export function timeOf(text: string): bigint | undefined {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : BigInt(ms);
}

function readFields(fields: JsonFields, kind: Callback["kind"], problems: Violation[]): Callback {
  const text = (name: string, max: number) => {
    const value = fields[name] ?? "";
    if (typeof value === "string" && value.length <= max) return value;
    problems.push(callbackViolation(name, `must be a text of at most ${max} characters`));
    return "";
  };
  const time = (name: string) => {
    const value = text(name, 40);
    const ms = timeOf(value);
    if (value !== "" && ms === undefined) {
      problems.push(callbackViolation(name, "must be a time such as 2026-01-31T12:00:00Z"));
    }
    return ms;
  };
  const state = kind === "setup" ? text("state", 20) : "not_started";
  if (kind === "setup" && !STATES.has(state))
    problems.push(callbackViolation("state", `must be one of ${[...STATES].join(", ")}`));
  return {
    kind,
    handle: text("handle", MAX_HANDLE_CHARACTERS),
    inquiry: "",
    reference: text("reference", MAX_REFERENCE_CHARACTERS).trim(),
    occurredAtMs: time("occurredAt") ?? 0n,
    state: state as SetupState,
    reason: cleanReason(text("reason", 5_000)),
    country: text("country", 2),
    approvalEndsAtMs: time("approvalEndsAt"),
    identityProblems: [],
  };
}

/** The fields of an approval that name who was approved: ours, and the documents in Persona's events. */
const IDENTITY_FIELDS: ReadonlySet<string> = new Set(["reference", "country", "included"]);

/**
 * Checks the rules between fields of a callback.
 *
 * @param found problems that are known already
 * @returns the callback, with what is wrong if that is only the identity of an approval by handle
 * @throws ServiceError `invalid_argument` naming the problems that are known and each wrong field
 */
export function checkedCallback(callback: Callback, nowMs: bigint, found: readonly Violation[]): Callback {
  const problems = [...found, ...contradictions(callback, nowMs)];
  if (problems.length === 0) return callback;
  const namesCheck = callback.state === "complete" && callback.handle !== "";
  if (namesCheck && problems.every(({ field }) => IDENTITY_FIELDS.has(field))) {
    return { ...callback, identityProblems: problems };
  }
  throw invalidArgument(problems);
}

/** Returns the rules between fields that a callback breaks. */
function contradictions(callback: Callback, nowMs: bigint): readonly Violation[] {
  const { kind, handle, reference, occurredAtMs, state, country, approvalEndsAtMs } = callback;
  const isComplete = state === "complete";
  const rules = [
    { field: "occurredAt", message: "must be the time of the event", isBroken: occurredAtMs <= 0n },
    {
      field: "occurredAt",
      message: "must not lie in the future",
      isBroken: occurredAtMs > nowMs + VENDOR_CLOCK_TOLERANCE_MS,
    },
    { field: "handle", message: "must be given, or reference", isBroken: handle === "" && reference === "" },
    { field: "handle", message: "must be given", isBroken: kind === "liveness" && handle === "" },
    { field: "reference", message: "must be given for complete", isBroken: isComplete && reference === "" },
    {
      field: "country",
      message: "must be an assigned code of ISO 3166-1 in capitals for complete",
      isBroken: isComplete && !isCountryCode(country),
    },
    {
      field: "approvalEndsAt",
      message: "must be later than occurredAt",
      isBroken: approvalEndsAtMs !== undefined && approvalEndsAtMs <= occurredAtMs,
    },
  ];
  return rules.filter(({ isBroken }) => isBroken).map(({ field, message }) => callbackViolation(field, message));
}

export function callbackViolation(field: string, message: string): Violation {
  return { field, rule: `callback.${field}`, message };
}

/** Returns the error for a callback that isn't the vendor's, or not of now. The violation tells it from a refusal of the gateway. */
export function unsigned(): ServiceError {
  const message = "the signature of the callback is wrong, or its time";
  return new ServiceError("unauthenticated", message, { violations: [callbackViolation("signature", message)] });
}
