import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AuthContext } from "../http/hono-context.ts";
import { ICON, type PageAsset, STYLESHEET } from "./page-assets.ts";
import { type FormTargets, pageHeaders } from "./page-headers.ts";

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

export interface Page {
  /** Title of the document; the page's heading belongs to `content`. */
  readonly title: string;
  readonly content: Html;
  /** Content above the card, such as a banner. */
  readonly notice?: Html | undefined;
  readonly isWide?: boolean;
  /** Whether the page fills the window with several cards of its own, in place of the one card. */
  readonly isBroad?: boolean;
  /** Links to other pages, at the top. */
  readonly navigation?: Html;
  /** Stylesheet besides the one that every page has. */
  readonly stylesheet?: PageAsset;
  /** Script that enhances the page, which is complete without it. */
  readonly script?: PageAsset;
  readonly status?: ContentfulStatusCode;
  /** Targets of its forms; `self` by default. */
  readonly formTargets?: FormTargets;
}

/** Answers with a page. */
export function showPage(c: AuthContext, page: Page): Response | Promise<Response> {
  setPageHeaders(c, page);
  return c.html(documentOf(page), page.status ?? 200);
}

/** Sets the headers of a page's answer. */
export function setPageHeaders(c: AuthContext, { formTargets = "self", script }: Page): void {
  for (const [name, value] of Object.entries(pageHeaders(formTargets, script !== undefined))) c.header(name, value);
}

/** Returns the HTML of a page. */
export function documentOf(page: Page): Html {
  const { title, content, notice, navigation, stylesheet, script, isWide = false, isBroad = false } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Tidemark</title>
<link rel="icon" type="image/svg+xml" href="${ICON.path}">
<link rel="stylesheet" href="${STYLESHEET.path}">
${stylesheet && html`<link rel="stylesheet" href="${stylesheet.path}">`}
${script && html`<script type="module" src="${script.path}"></script>`}
</head>
<body>
${navigation}
<div class="sheet${isWide ? " sheet-wide" : ""}${isBroad ? " sheet-broad" : ""}">
<main>
${notice}
${isBroad ? content : html`<div class="card">\n${content}\n</div>`}
</main>
<footer class="foot"><img src="${ICON.path}" alt="" width="20" height="20"> ${isBroad ? "Tidemark" : "Secure sign-in by Tidemark"}</footer>
</div>
</body>
</html>
`;
}
