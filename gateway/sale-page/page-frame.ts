import { html } from "hono/html";
import { isRightToLeft, type Language } from "../../common/platform/language/language.ts";
import { languageLinks } from "../web/pages/language-links.ts";
import type { Html } from "../web/pages/layout.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { saleFilePath } from "./sale-files.ts";

export interface FramedPage {
  readonly title: string;
  /** Content of the head. */
  readonly head?: Html | undefined;
  readonly content: Html;
  /** Whether it is a message rather than a sale, which has styles of its own. */
  readonly isMessage?: boolean;
  readonly language: Language;
  /** Path of the page, for the switch of languages; undefined for a page without one. */
  readonly address?: string | undefined;
}

/** Returns the document of a public page. */
export function pageFrame({ title, head, content, isMessage, language, address }: FramedPage): Buffer {
  const document = html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tidemark</title>
<link rel="icon" type="image/svg+xml" href="${saleFilePath("icon.svg")}">
<link rel="stylesheet" href="${saleFilePath("sale.css")}">${isMessage && html`<link rel="stylesheet" href="${saleFilePath("message.css")}">`}
${head}
</head>
<body>
${content}
<footer class="foot"><p><img src="${saleFilePath("icon.svg")}" alt="" width="20" height="20"> ${TEXTS[language].frame.liveFigures}</p>
${address !== undefined && languageLinks(address, language)}</footer>
</body>
</html>
`;
  // Nothing in it is a promise, so it is text already.
  return Buffer.from(String(document));
}
