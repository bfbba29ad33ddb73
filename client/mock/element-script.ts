import type { Answer } from "./answer.ts";

/** The script of `<tidemark-sale>`, which reads from the mock that it was loaded from. */
export interface ElementScript {
  readonly path: string;
  readonly text: string;
}

/** @param prefix first segment of the calls' paths */
export function elementScript(text: string, prefix: string): ElementScript {
  return { path: `/${prefix}/v1/public/tidemark-sale.js`, text };
}

/** Returns the script, for pages of any origin. */
export function scriptAnswer({ text }: ElementScript): Answer {
  const headers = {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  return { status: 200, headers, body: text };
}
