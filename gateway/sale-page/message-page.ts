import { html } from "hono/html";
import type { PublicError } from "../web/http/public-error.ts";
import { pageFrame } from "./page-frame.ts";

interface Message {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Whether the page offers to load it again. */
  readonly again?: true;
}

const NO_SALE: Message = {
  status: 404,
  title: "There is no such sale",
  text: "No sale is open at this address. It may not have opened yet, or the link may be incomplete: check where you found it, or ask the organisers of the sale.",
};
const AWAY: Message = {
  status: 503,
  title: "The figures can’t be read at the moment",
  text: "Nothing is lost. Please load this page again in a moment.",
  again: true,
};
const FAULT: Message = {
  status: 500,
  title: "Something went wrong on our side",
  text: "Please load this page again in a minute.",
  again: true,
};
const WRONG_METHOD: Message = {
  status: 405,
  title: "This page can only be read",
  text: "Nothing can be sent to it.",
};

/** The page about an error. */
export interface ErrorPage {
  readonly status: number;
  readonly body: Buffer;
}

export function errorPage(error: PublicError): ErrorPage {
  const { status, title, text, again } = messageOf(error);
  const content = html`<main class="message panel">
<h1>${title}</h1>
<p>${text}</p>
${again && html`<p><a class="button secondary" href="">Load it again</a></p>`}
${status === FAULT.status && html`<p class="quiet">Error ID <code>${errorId(error)}</code></p>`}
</main>`;
  const head = html`<meta name="robots" content="noindex">`;
  return { status, body: pageFrame({ title, head, content }) };
}

function messageOf({ code }: PublicError): Message {
  switch (code) {
    case "not_found":
    case "invalid_argument":
      return NO_SALE;
    case "unimplemented":
      return WRONG_METHOD;
    case "internal":
      return FAULT;
    default:
      return AWAY;
  }
}

function errorId({ body }: PublicError): string {
  return JSON.parse(body.toString("utf8")).details.id ?? "";
}
