/** A call of the application as it is shown: request and answer as texts. */
export interface TracedCall {
  readonly request: string;
  readonly answer: string;
}

/** What `oauth4webapi` gives to fetch with. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const SHOWN_REQUEST_HEADERS = ["authorization", "content-type"];
const SHOWN_ANSWER_HEADERS = ["content-type", "cache-control", "www-authenticate", "retry-after"];
const TIMEOUT_MS = 10_000;

/** Fetches, and hands over what was asked and answered. */
export function tracedFetch(record: (call: TracedCall) => void) {
  return async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const form = body instanceof URLSearchParams ? body : undefined;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { method, headers, redirect: "manual", signal, ...(form && { body: form }) } as const;
    const response = await fetch(url, init);
    const text = await response.clone().text();
    record({
      request: textOf(`${method} ${url}`, SHOWN_REQUEST_HEADERS, new Headers(headers), formText(form)),
      answer: textOf(`${response.status}`, SHOWN_ANSWER_HEADERS, response.headers, jsonText(text)),
    });
    return response;
  };
}

function textOf(firstLine: string, shown: readonly string[], headers: Headers, body: string): string {
  const lines = shown.flatMap((name) => (headers.has(name) ? [`${name}: ${shortened(headers.get(name) ?? "")}`] : []));
  return [firstLine, ...lines, ...(body === "" ? [] : ["", body])].join("\n");
}

/** An access token is long, and was shown before. */
function shortened(value: string): string {
  return value.replace(/(?<=^Bearer .{24}).{100,}$/, "…");
}

/** A line for each parameter. */
function formText(form: URLSearchParams | undefined): string {
  return form === undefined ? "" : form.toString().replaceAll("&", "\n&");
}

function jsonText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
