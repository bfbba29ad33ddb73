import { BodyTooLarge, readAnswerBody } from "../../platform/http/answer-body.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import { Unreachable } from "./unreachable.ts";

/** Longest time for an answer, in milliseconds. */
const TIMEOUT_MS = 15_000;
/** Larger than any public body: 100 commitments with the most amounts and extra data that there can be. */
const MAX_BYTES = 64 * 1024 * 1024;

/** An answer with a JSON object. */
export interface JsonAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/**
 * Gets a JSON object.
 *
 * @throws Unreachable without an answer, or for one that asks for another attempt; CannotVerify for any other answer; the signal's reason
 */
export function getJson(url: string, signal: AbortSignal): Promise<JsonAnswer> {
  return jsonOf(url, {}, signal);
}

/** Posts a JSON object, and reads the one that is answered. Errors are those of `getJson`. */
export function postJson(url: string, body: object, signal: AbortSignal): Promise<JsonAnswer> {
  const headers = { "content-type": "application/json" };
  return jsonOf(url, { method: "POST", headers, body: JSON.stringify(body) }, signal);
}

async function jsonOf(url: string, init: RequestInit, signal: AbortSignal): Promise<JsonAnswer> {
  const response = await answerOf(url, init, signal);
  const { host, pathname } = new URL(url);
  if (!response.ok) {
    const advice = response.status === 404 ? ": it has no such sale, or isn't a site of Tidemark" : "";
    const problem = `${host} answered ${pathname} with HTTP status ${response.status}${advice}`;
    if (response.status === 429 || response.status >= 500) throw new Unreachable(problem);
    throw new CannotVerify(problem);
  }
  const body = parsed(response.text);
  if (body === undefined) throw new CannotVerify(`${host} answered ${pathname} with something else than a JSON object`);
  return { body, headers: response.headers };
}

async function answerOf(url: string, init: RequestInit, signal: AbortSignal) {
  const expiry = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, expiry]) });
    const { ok, status } = response;
    return {
      ok,
      status,
      headers: response.headers,
      text: (await readAnswerBody(response.body, MAX_BYTES)).toString("utf8"),
    };
  } catch (error) {
    signal.throwIfAborted();
    const { host } = new URL(url);
    if (error instanceof BodyTooLarge) throw new CannotVerify(`${host}: its answer has ${error.message}`);
    const problem = expiry.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : "it can't be reached, or broke off";
    throw new Unreachable(`${host}: ${problem}`, { cause: error });
  }
}

function parsed(text: string): JsonAnswer["body"] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonAnswer["body"]) : undefined;
  } catch {
    return undefined;
  }
}
