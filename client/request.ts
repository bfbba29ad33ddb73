import { errorOf, TidemarkError } from "./tidemark-error.ts";

/** Time for a whole answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** The address of a deployment's public calls. */
export interface Server {
  /** Origin of the public host (`PUBLIC_BASE_URL`), such as `https://tidemark.example`. */
  readonly url: string;
  /** First segment of the paths; `svc` by default. */
  readonly prefix?: string;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call. Its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Returns the URL of a public path. @param path below `/{prefix}/v1/` */
export function urlOf({ url, prefix = "svc" }: Server, path: string): string {
  return new URL(`/${prefix}/v1/${path}`, url).href;
}

/**
 * Sends a request without cookies and returns its answer, whatever its status.
 *
 * @throws TidemarkError `unreachable` without an answer; the signal's reason once it is aborted
 */
export async function send(
  url: string,
  init: RequestInit,
  { fetch = globalThis.fetch }: Pick<Server, "fetch">,
): Promise<Response> {
  try {
    return await fetch(url, { credentials: "omit", ...init });
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw new TidemarkError("unreachable", `There was no answer from ${new URL(url).origin}.`, { cause });
  }
}

/**
 * Sends a request and reads its answer, both within 15 seconds.
 *
 * @param read reads a success, as JSON by default
 * @throws TidemarkError for any other answer, `deadline_exceeded` when it takes too long; the signal's reason
 */
export async function request<T>(
  url: string,
  init: RequestInit,
  { signal, ...server }: Pick<Server, "fetch"> & CallOptions,
  read: (response: Response) => Promise<T> = readJson,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const both = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const response = await send(url, { ...init, signal: both }, server);
    if (!response.ok) throw await errorOf(response);
    return await read(response);
  } catch (cause) {
    signal?.throwIfAborted();
    if (!deadline.aborted) throw cause;
    throw new TidemarkError("deadline_exceeded", `There was no whole answer within ${TIMEOUT_MS / 1000} s.`, { cause });
  }
}

/** Returns a success's JSON. @throws TidemarkError `unknown` for another content, `unreachable` where it breaks off */
export async function readJson<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch (cause) {
    const [code, message] = cause instanceof SyntaxError ? ["unknown", "isn't JSON"] : ["unreachable", "broke off"];
    throw new TidemarkError(code, `The answer ${message}.`, { status: response.status, cause });
  }
}

/** A `POST` of a JSON object. @param accessToken of the user, without its scheme */
export function jsonPost(body: object, accessToken?: string): RequestInit {
  const authorization = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify(body),
    // A redirect would carry the request's secrets elsewhere.
    redirect: "error",
  };
}
