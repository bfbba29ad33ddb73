import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { PublicError } from "../web/http/public-error.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Texts } from "../web/texts/en.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { pageFrame } from "./page-frame.ts";

interface Message {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Whether the page offers to load it again. */
  readonly again?: true;
}

/** The page about an error. */
export interface ErrorPage {
  readonly status: number;
  readonly body: Buffer;
}

/** @param address path of the page, for the switch of languages; undefined where no page is read */
export function errorPage(error: PublicError, language: Language, address?: string): ErrorPage {
  const { saleError } = TEXTS[language];
  const { status, title, text, again } = messageOf(error, saleError);
  const content = html`<main class="message panel">
<h1>${title}</h1>
<p>${text}</p>
<p class="ways">${again && html`<a class="button secondary" href="">${saleError.again}</a>`}
<a class="button secondary" href="/">${saleError.home}</a></p>
${error.code === "internal" && html`<p class="quiet">${fillHtml(saleError.faultId, { id: html`<code>${errorId(error)}</code>` })}</p>`}
</main>`;
  const head = html`<meta name="robots" content="noindex">`;
  return { status, body: pageFrame({ title, head, content, isMessage: true, language, address }) };
}

function messageOf({ code }: PublicError, texts: Texts["saleError"]): Message {
  switch (code) {
    case "not_found":
    case "invalid_argument":
      return { status: 404, title: texts.unknownTitle, text: texts.unknownText };
    case "unimplemented":
      return { status: 405, title: texts.methodTitle, text: texts.methodText };
    case "internal":
      return { status: 500, title: texts.faultTitle, text: texts.faultText, again: true };
    default:
      return { status: 503, title: texts.awayTitle, text: texts.awayText, again: true };
  }
}

function errorId({ body }: PublicError): string {
  return JSON.parse(body.toString("utf8")).details.id ?? "";
}
