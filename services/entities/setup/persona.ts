import { createHmac, timingSafeEqual } from "node:crypto";
import type { Violation } from "../../../common/platform/errors/service-error.ts";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import type { SetupState } from "../base/entity.ts";
import type { VendorConfig } from "../base/identity-config.ts";
import { VENDOR_CLOCK_TOLERANCE_MS } from "../base/lifetimes.ts";
import {
  type Callback,
  type CallbackReader,
  callbackViolation,
  checkedCallback,
  isObject,
  type JsonFields,
  parseObject,
  timeOf,
  unsigned,
} from "./callback.ts";

/**
 * Reads an event of Persona (https://docs.withpersona.com/webhooks) that was signed within the last five minutes: each attempt to
 * deliver it is signed anew. Its ID is the event's, which repetitions have, too.
 */
export const readPersonaEvent: CallbackReader = (vendor, { personaSignature, body }, nowMs) => {
  if (!isSignedByPersona(vendor, personaSignature, body, nowMs)) throw unsigned();
  const { data } = parseObject(Buffer.from(body).toString("utf8"));
  const event = isObject(data) ? data : {};
  return { messageId: textAt(event, "id"), callback: callbackOf(event, vendor, nowMs) };
};

/** A time and a signature of the header `Persona-Signature`. */
interface PersonaSignature {
  readonly time: string;
  readonly digest: string;
}

/**
 * Whether a header `Persona-Signature` has a signature of a body. A signature is `v1=`, the HMAC-SHA-256 in hex of the time, a dot
 * and the body. While Persona replaces a secret there are two sets of `t=…,v1=…`, with a space between.
 */
export function isSignedByPersona(
  { secrets }: Pick<VendorConfig, "secrets">,
  header: string,
  body: Uint8Array,
  nowMs: bigint,
): boolean {
  const recent = signaturesIn(header).filter(({ time }) => isRecent(time, nowMs));
  const times = [...new Set(recent.map(({ time }) => time))].slice(0, MAX_TIMES);
  return times.some((time) => {
    const digests = recent
      .filter((signature) => signature.time === time)
      .map(({ digest }) => Buffer.from(digest, "hex"));
    return secrets.some((secret) => {
      // Once for all digests: whoever sends a header has no secret yet, and may name many.
      const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
      return digests.some((digest) => timingSafeEqual(expected, digest));
    });
  });
}

/** The times of which signatures are computed: while Persona replaces a secret, each set has one. */
const MAX_TIMES = 2;

/** The sets that a header may have: two, and some more by whoever stands between. */
const MAX_SETS = 4;

function signaturesIn(header: string): readonly PersonaSignature[] {
  const sets = header.trim().split(/\s+/).slice(0, MAX_SETS);
  return sets.flatMap((set) => {
    const parts = set.split(",").map((part) => part.trim());
    const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
    const digests = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []).slice(0, MAX_SETS);
    return time === undefined ? [] : digests.map((digest) => ({ time, digest }));
  });
}

function isRecent(time: string, nowMs: bigint): boolean {
  const difference = BigInt(time) * 1_000n - nowMs;
  return difference <= VENDOR_CLOCK_TOLERANCE_MS && -difference <= VENDOR_CLOCK_TOLERANCE_MS;
}

/**
 * The states by event. The others say nothing: an inquiry that was begun or has expired may be another one than the last, which must
 * not lose its approval by that.
 */
const EVENT_STATES: ReadonlyMap<string, SetupState> = new Map([
  ["inquiry.completed", "ready_for_review"],
  ["inquiry.marked-for-review", "in_review"],
  ["inquiry.approved", "complete"],
  ["inquiry.failed", "failure"],
  ["inquiry.declined", "failure_final"],
]);

/** Undefined for events that say nothing about an entity: of other names or templates, or without a reference ID. */
function callbackOf(event: JsonFields, { startUrl }: VendorConfig, nowMs: bigint): Callback | undefined {
  const attributes = objectAt(event, "attributes");
  const state = EVENT_STATES.get(textAt(attributes, "name"));
  if (state === undefined) return undefined;
  const payload = objectAt(attributes, "payload");
  const inquiry = objectAt(payload, "data");
  const handle = textAt(objectAt(inquiry, "attributes"), "reference-id");
  const template = textAt(objectAt(objectAt(objectAt(inquiry, "relationships"), "inquiry-template"), "data"), "id");
  const problems: Violation[] = [];
  if (textAt(event, "id") === "") problems.push(callbackViolation("data.id", "must be the event's ID"));
  // Whoever opens the page could have changed the template in its address.
  if (template === "")
    problems.push(callbackViolation("relationships.inquiry-template", "must be part of the payload"));
  if (problems.length > 0) throw invalidArgument(problems);
  if (handle === "" || template !== personaTemplate(startUrl)) return undefined;
  const identity = state === "complete" ? identityOf(payload) : { country: "", reference: "" };
  if (identity === undefined) problems.push(callbackViolation("included", NO_DOCUMENT));
  const callback: Callback = {
    kind: "by_handle",
    handle,
    inquiry: textAt(inquiry, "id"),
    ...(identity ?? { country: "", reference: "" }),
    occurredAtMs: timeOf(textAt(attributes, "created-at")) ?? 0n,
    state,
    reason: "",
    approvalEndsAtMs: undefined,
    identityProblems: [],
  };
  return checkedCallback(callback, nowMs, problems);
}

const NO_DOCUMENT = "must have a verification/government-id with country-code and identification-number";

/** Returns the template in the address of a hosted flow; undefined if it names none. */
export function personaTemplate(startUrl: string): string | undefined {
  return new URL(startUrl).searchParams.get("inquiry-template-id") ?? undefined;
}

/**
 * Returns the country and the number of the identity document, which name a person whichever account they use. The fields of the
 * inquiry itself don't count: its address can set them. Undefined if the payload has no such document.
 */
function identityOf(payload: JsonFields): Pick<Callback, "country" | "reference"> | undefined {
  const document = governmentId(payload);
  const country = textAt(document, "country-code");
  const number = textAt(document, "identification-number") || textAt(document, "document-number");
  if (/^[A-Z]{2}$/.test(country) && number !== "") {
    const comparable = number.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]/gu, "");
    return {
      country,
      reference: ["persona", country, textAt(document, "id-class"), comparable.toUpperCase()].join(":"),
    };
  }
  return undefined;
}

/** Returns the attributes of the identity document: the latest that has passed, or if people have approved another one, the latest. */
function governmentId(payload: JsonFields): JsonFields {
  const { included } = payload;
  const documents = (Array.isArray(included) ? included : [])
    .filter((item) => isObject(item) && item["type"] === "verification/government-id")
    .map((item) => objectAt(item, "attributes"))
    .toSorted((a, b) => Number(isPassed(a)) - Number(isPassed(b)) || (createdAt(a) < createdAt(b) ? -1 : 1));
  return documents.at(-1) ?? {};
}

const isPassed = (document: JsonFields) => textAt(document, "status") === "passed";
const createdAt = (document: JsonFields) => timeOf(textAt(document, "created-at")) ?? 0n;

const MAX_TEXT = 200;

/** Returns a text; empty if it isn't there, is no text or is longer than any that Persona sends. */
function textAt(fields: JsonFields, name: string): string {
  const value = fields[name];
  return typeof value === "string" && value.length <= MAX_TEXT ? value : "";
}

function objectAt(fields: JsonFields, name: string): JsonFields {
  const value = fields[name];
  return isObject(value) ? value : {};
}
