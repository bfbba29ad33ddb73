import { Buffer } from "node:buffer";
import { SourceFault } from "../source-reader.ts";

export interface PostLimits {
  readonly timeoutMs: number;
  /** Of the decoded body. */
  readonly maxBytes: number;
}

const BYTES_PER_MIB = 1_048_576;
/** A node that asks for more patience than this is asked again all the same. */
const MAX_RETRY_AFTER_MS = 600_000;

/**
 * Posts a JSON-RPC request to one URL.
 *
 * @returns the parsed body: an object, otherwise not looked at.
 * @throws SourceFault that names the URL's host and nothing else of it; the signal's reason if it is aborted.
 */
export async function postJsonRpc(
  url: URL,
  payload: unknown,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<object> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await fetch(withoutCredentials(url), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...credentials(url) },
      body: JSON.stringify(payload, integersAsNumbers),
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw statusFault(url.host, response);
    }
    return parseObject(url.host, await boundedText(url.host, response, limits.maxBytes));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceFault) throw error;
    const words = timeout.aborted ? `did not answer within ${limits.timeoutMs} ms` : "can't be reached";
    throw new SourceFault(`${url.host} ${words}`, { remedy: "wait", cause: error });
  }
}

/** The integers of our requests are slots and offsets, all below 2^53. */
function integersAsNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** `fetch` refuses URLs with credentials; they go into the header that they stand for (RFC 7617). */
function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function statusFault(host: string, { status, headers }: Response): SourceFault {
  if (status === 401 || status === 403) {
    return mend(`${host} refuses access (HTTP ${status}): check the key or the user in its URL`);
  }
  if (status === 404 || status === 405 || status === 410 || (status >= 300 && status < 400)) {
    return mend(`${host} does not serve this request (HTTP ${status}): check the path of its URL and the node's plan`);
  }
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"));
  const message = status === 429 ? `${host} limits the rate of requests` : `${host} answered HTTP ${status}`;
  return new SourceFault(message, { remedy: "wait", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function mend(message: string): SourceFault {
  return new SourceFault(message, { remedy: "mend" });
}

/** The seconds of `Retry-After` (RFC 9110, section 10.2.3); a date there is left to the usual back-off. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, MAX_RETRY_AFTER_MS);
}

async function boundedText(host: string, response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw mend(`the answer of ${host} exceeds ${Math.floor(maxBytes / BYTES_PER_MIB)} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}

function parseObject(host: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The text may hold secrets: it is not a cause to be shown.
  }
  throw new SourceFault(`${host} answered something that is no JSON-RPC answer, or cut it short`, { remedy: "wait" });
}
