import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DEFAULT_LANGUAGE, isRightToLeft, type Language } from "../../../common/platform/language/language.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { AUTH_PATHS } from "../sessions/auth-paths.ts";
import { keepStep } from "../sessions/refused-steps.ts";
import { TEXTS } from "../texts/texts.ts";
import { languageLinks } from "./language-links.ts";
import { FORMS_SCRIPT, ICON, type PageAsset, STYLESHEET } from "./page-assets.ts";
import { type FormTargets, pageHeaders } from "./page-headers.ts";

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

export interface Page {
  /** Title of the document; the page's heading belongs to `content`. */
  readonly title: string;
  readonly content: Html;
  /** Language of the page; undefined for a page that exists in English only, and so has no switch. */
  readonly language?: Language | undefined;
  /** Path and query at which a GET shows the page, for the switch of languages; that of the request, if it is a GET. */
  readonly address?: string | undefined;
  /** Content above the card, such as a banner. */
  readonly notice?: Html | undefined;
  readonly isWide?: boolean;
  /** Whether the page fills the window with several cards of its own, in place of the one card. */
  readonly isBroad?: boolean;
  /** Links to other pages, at the top. */
  readonly navigation?: Html;
  /** Links to the other pages of the same object, beside the content of a broad page. */
  readonly menu?: Html | undefined;
  /** How far the same object is, above the content of a broad page. */
  readonly progress?: Html | undefined;
  /** Stylesheet besides the one that every page has. */
  readonly stylesheet?: PageAsset;
  /** Script besides the one that every page has. The page is complete without either. */
  readonly script?: PageAsset;
  readonly status?: ContentfulStatusCode;
  /** Targets of its forms; `self` by default. */
  readonly formTargets?: FormTargets;
}

const OWN_VALUE = /^[\w-]{1,64}$/;

/** Answers with a page. */
export function showPage(c: AuthContext, page: Page): Response | Promise<Response> {
  setPageHeaders(c, page);
  const { address = "address" in page ? undefined : addressOf(c) } = page;
  return c.html(documentOf({ ...withMenu(c, page), address: address && keepStep(c, address) }), page.status ?? 200);
}

/** Returns a page with what belongs to its object, as its handler found it: the menu, and how far the object is. */
export function withMenu(c: AuthContext, page: Page): Page {
  return page.isBroad ? { ...page, menu: c.get("menu"), progress: c.get("progress")?.() } : page;
}

/**
 * Returns the address of a request that another GET can repeat. It has no text of others: those of an authorization and a
 * sign-out have what any application sent, and parameters of ours are handles, IDs and names.
 */
function addressOf(c: AuthContext): string | undefined {
  const { pathname, searchParams } = new URL(c.req.url);
  const isOfApplication = pathname === AUTH_PATHS.authorize || pathname === AUTH_PATHS.logout;
  if (c.req.method !== "GET" || isOfApplication) return undefined;
  const own = Array.from(searchParams).filter(([name, value]) => OWN_VALUE.test(name) && OWN_VALUE.test(value));
  return own.length === 0 ? pathname : `${pathname}?${new URLSearchParams(own)}`;
}

/** Sets the headers of a page's answer. */
export function setPageHeaders(c: AuthContext, { formTargets = "self", script, language }: Page): void {
  for (const [name, value] of Object.entries(pageHeaders(formTargets, script !== undefined))) c.header(name, value);
  c.header("Content-Language", language ?? DEFAULT_LANGUAGE);
}

/** Returns the HTML of a page. */
export function documentOf(page: Page): Html {
  const { title, content, notice, navigation, menu, progress, stylesheet, script } = page;
  const { language, address, isWide = false, isBroad = false } = page;
  const { frame } = TEXTS[language ?? DEFAULT_LANGUAGE];
  return html`<!doctype html>
<html lang="${language ?? DEFAULT_LANGUAGE}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Tidemark</title>
<link rel="icon" type="image/svg+xml" href="${ICON.path}">
<link rel="stylesheet" href="${STYLESHEET.path}">
${stylesheet && html`<link rel="stylesheet" href="${stylesheet.path}">`}
<script type="module" src="${FORMS_SCRIPT.path}"></script>
${script && html`<script type="module" src="${script.path}"></script>`}
</head>
<body>
${navigation}
<div class="sheet${isWide ? " sheet-wide" : ""}${isBroad ? " sheet-broad" : ""}${menu && " sheet-menu"}">
${menu}<main>
${progress}${notice}
${isBroad ? content : html`<div class="card">\n${content}\n</div>`}
</main>
<footer class="foot"><p><img src="${ICON.path}" alt="" width="20" height="20"> ${isBroad ? "Tidemark" : frame.secureSignIn}</p>
${language && address !== undefined && languageLinks(address, language)}</footer>
</div>
</body>
</html>
`;
}
