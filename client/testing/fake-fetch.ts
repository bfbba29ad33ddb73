/** A request that a fake `fetch` got. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal | null | undefined;
}

/** An answer, a failure, or a function that answers. */
export type Answer = Response | Error | ((request: SentRequest) => Response | Promise<Response>);

/** A `fetch` that gives its answers in order, the last one again and again. */
export function fakeFetch(...answers: readonly Answer[]) {
  const requests: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { method = "GET", headers, body, signal } = init;
    const request = { url: String(input), method, headers: new Headers(headers), body: String(body ?? ""), signal };
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer instanceof Response ? answer.clone() : answer(request);
  };
  return { fetch, requests };
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** A stream of server-sent events that ends after these. */
export function stream(...events: readonly string[]): Response {
  return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** An event's text. */
export function eventText(event: string, data: unknown, id?: string): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
