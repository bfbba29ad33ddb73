import type { Answer } from "./answer.ts";

/** The two parts of the script of `<tidemark-sale>`, which reads from the mock that it was loaded from. */
export interface ElementScript {
  /** First segment of the calls' paths. */
  readonly prefix: string;
  readonly first: string;
  readonly extras: string;
}

/** Returns a part of the script, for pages of any origin; undefined at another path. */
export function scriptAnswer({ prefix, first, extras }: ElementScript, path: string): Answer | undefined {
  const start = `/${prefix}/v1/public/tidemark-sale`;
  if (path === `${start}.js`) return scriptOf(first);
  return path.startsWith(`${start}/`) ? scriptOf(extras) : undefined;
}

function scriptOf(text: string): Answer {
  const headers = {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  return { status: 200, headers, body: text };
}
