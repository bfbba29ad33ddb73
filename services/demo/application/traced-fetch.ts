/** A call of the application as its pages show it: request and answer as text. */
export interface TracedCall {
  readonly request: string;
  readonly answer: string;
  /** The request as code that sends it; absent where it isn't sent by `fetch`. */
  readonly fetchCode?: string;
}

/** A request as the client sends it. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | URLSearchParams | undefined;
}

const SHOWN_REQUEST_HEADERS = ["authorization", "content-type"];
const SHOWN_ANSWER_HEADERS = ["content-type", "cache-control", "www-authenticate", "retry-after"];
const TIMEOUT_MS = 10_000;

export type RecordCall = (call: TracedCall) => void;

/** Returns a `fetch` that records each request with its answer. */
export function tracedFetch(record: RecordCall): typeof fetch {
  return async (input, init = {}) => {
    const { method = "GET", headers, body, signal } = init;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(input, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    const text = await response.clone().text();
    const shownBody = typeof body === "string" || body instanceof URLSearchParams ? body : undefined;
    const sent = { method, url: String(input), headers: new Headers(headers), body: shownBody };
    record({
      request: textOf(`${method} ${sent.url}`, SHOWN_REQUEST_HEADERS, sent.headers, bodyText(shownBody)),
      answer: textOf(`${response.status}`, SHOWN_ANSWER_HEADERS, response.headers, jsonText(text)),
      fetchCode: fetchCode(sent),
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

/** JSON indented, and a form with a line for each parameter. */
function bodyText(body: Sent["body"]): string {
  if (body instanceof URLSearchParams) return body.toString().replaceAll("&", "\n&");
  return jsonText(body ?? "");
}

function jsonText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns a request as code in which `accessToken` is the user's. */
function fetchCode({ method, url, headers, body }: Sent): string {
  const fields = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)},`]),
    ...headersCode(headers),
    ...(body === undefined ? [] : [`body: ${bodyCode(body)},`]),
  ];
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...fields.map((line) => `  ${line}`),
    "});",
    "const answer = await response.json();",
  ].join("\n");
}

function headersCode(headers: Headers): string[] {
  const lines = [...headers].map(([name, value]) => {
    const text = name === "authorization" ? "`Bearer $" + "{accessToken}`" : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text},`;
  });
  return lines.length === 0 ? [] : ["headers: {", ...lines, "},"];
}

function bodyCode(body: string | URLSearchParams): string {
  const isForm = body instanceof URLSearchParams;
  const fields: unknown = isForm ? Object.fromEntries(body) : JSON.parse(body);
  const text = JSON.stringify(fields, null, 2).replaceAll("\n", "\n  ");
  return isForm ? `new URLSearchParams(${text})` : `JSON.stringify(${text})`;
}
