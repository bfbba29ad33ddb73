import { Buffer } from "node:buffer";
import { BodyTooLarge, readAnswerBody } from "../../platform/http/answer-body.ts";
import { type HttpTarget, traceHttpRequest } from "../../platform/tracing/http-client-span.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface JsonRpcLimits {
  readonly requestTimeoutMs: number;
  /** Limit for the decoded body of an answer. */
  readonly maxAnswerBytes: number;
  /** Sends requests; the runtime's own `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
}

export interface PostAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The parsed body; undefined if it isn't a complete JSON object. */
  readonly body: Record<string, unknown> | undefined;
  /** The parsed body of a batch; absent if it isn't a complete JSON array. */
  readonly batch?: readonly unknown[];
  /** The wait that the node asked for, 0 to 10 minutes. */
  readonly retryAfterMs?: number;
}

/** Whether an HTTP status says that the request succeeded (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Thrown if there is no answer. It keeps only a code of the cause, because messages of `fetch` may contain the whole URL. */
export class PostFailure extends Error {
  readonly kind: "timeout" | "too_large" | "unreachable";

  constructor(kind: PostFailure["kind"], message: string) {
    super(message);
    this.name = "PostFailure";
    this.kind = kind;
  }
}

/** Shorter parts of a URL are no secrets, and redacting them would damage ordinary words. */
const SHORTEST_SECRET = 4;

/** A URL for JSON-RPC requests, bounded in time and bytes. Only its host may be shown. */
export class JsonRpcUrl {
  readonly host: string;
  readonly #url: string;
  readonly #target: HttpTarget;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #limits: JsonRpcLimits;

  /** @throws TypeError if the text isn't a URL; URIError if its credentials can't be decoded. */
  constructor(url: string, limits: JsonRpcLimits) {
    const parsed = new URL(url);
    const { origin, pathname, search, host } = parsed;
    this.host = host;
    this.#url = `${origin}${pathname}${search}`;
    this.#target = parsed;
    this.#headers = { "content-type": "application/json", accept: "application/json", ...authorization(parsed) };
    this.#secrets = secretsOf(parsed);
    this.#limits = limits;
  }

  /**
   * @param limitMs a shorter limit than that of the URL, for this request.
   * @throws PostFailure; the signal's reason once that is aborted.
   */
  post(body: string, signal: AbortSignal, limitMs = Number.POSITIVE_INFINITY): Promise<PostAnswer> {
    return traceHttpRequest("POST", this.#target, () => this.#post(body, signal, limitMs));
  }

  async #post(body: string, signal: AbortSignal, limitMs: number): Promise<PostAnswer> {
    const { requestTimeoutMs, maxAnswerBytes, fetch = globalThis.fetch } = this.#limits;
    const timeoutMs = Math.min(requestTimeoutMs, limitMs);
    const expiry = AbortSignal.timeout(timeoutMs);
    const init = { method: "POST", headers: this.#headers, body, redirect: "manual" } as const;
    try {
      const response = await fetch(this.#url, { ...init, signal: AbortSignal.any([signal, expiry]) });
      const text = (await readAnswerBody(response.body, maxAnswerBytes)).toString("utf8");
      const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
      const answer = { status: response.status, ...parsedBody(text) };
      return wait === undefined ? answer : { ...answer, retryAfterMs: wait };
    } catch (error) {
      signal.throwIfAborted();
      if (expiry.aborted) throw new PostFailure("timeout", `no answer within ${timeoutMs} ms`);
      throw postFailure(error);
    }
  }

  /** A node's message without any secrets of the URL that it may repeat. */
  redactSecrets(message: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), message);
  }
}

/** The `Authorization` header for the URL's credentials (RFC 7617). `fetch` refuses URLs that contain them. */
function authorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** The secret parts of a URL, longest first, because one may be part of another. */
function secretsOf({ pathname, search, searchParams, username, password }: URL): readonly string[] {
  const parts = [...pathname.split("/"), search.slice(1), ...searchParams.values(), username, password];
  return [...parts, decodeURIComponent(username), decodeURIComponent(password)]
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

function postFailure(error: unknown): PostFailure {
  if (error instanceof BodyTooLarge) return new PostFailure("too_large", `its answer has ${error.message}`);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return new PostFailure("unreachable", `it can't be reached or broke off${code}`);
}

function parsedBody(text: string): Pick<PostAnswer, "body" | "batch"> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return { body: undefined, batch: value };
    return { body: isObject(value) ? value : undefined };
  } catch {
    return { body: undefined };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
