/** A call of the application as its pages show it: request and answer as text. */
export interface TracedCall {
  readonly request: string;
  readonly answer: string;
}

/** The second argument that `oauth4webapi` passes to its fetch function. */
interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const SHOWN_REQUEST_HEADERS = ["authorization", "content-type"];
const SHOWN_ANSWER_HEADERS = ["content-type", "cache-control", "www-authenticate", "retry-after"];
const TIMEOUT_MS = 10_000;

export type RecordCall = (call: TracedCall) => void;

/** A fetch function that records each request with its answer. */
export function tracedFetch(record: RecordCall) {
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

/** Shortens the access token in a header; the page has shown it in full before. */
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
