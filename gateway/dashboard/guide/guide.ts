import { readFile } from "node:fs/promises";
import { html } from "hono/html";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import type { Texts } from "../../web/texts/en.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { texts } from "../base/texts.ts";
import { markdownHtml } from "./markdown.ts";

/** The pages of the guide: files below `docs/`, by name, with the names of their titles. The first one is at `/dashboard/guide`. */
export const GUIDE_PAGES: Readonly<Record<string, Exclude<keyof Texts["dashboard"]["guide"], "inEnglish">>> = {
  "for-founders": "founders",
  sales: "sales",
  "sign-in": "signIn",
  "public-read": "publicRead",
  embed: "embed",
  webhooks: "webhooks",
};
const [FIRST = ""] = Object.keys(GUIDE_PAGES);

/** `GET /dashboard/guide` and `GET /dashboard/guide/{name}`; nobody needs to be signed in to read them. */
export async function showGuide(c: AuthContext) {
  const name = c.req.param("name") ?? FIRST;
  const titleName = Object.hasOwn(GUIDE_PAGES, name) ? GUIDE_PAGES[name] : undefined;
  if (titleName === undefined) throw guideMissing();
  const words = texts().guide;
  const title = words[titleName];
  const content = markdownHtml(await readFile(fileOf(name), "utf8"), addressOf);
  const isEnglish = pageLanguage() === "en";
  const crumbs = name === FIRST ? [] : [{ href: GUIDE_PATH, text: words.title }];
  return showPage(
    c,
    dashboardPage({
      title,
      crumbs,
      content: html`${isEnglish || html`<p class="quiet">${words.inEnglish}</p>`}<article class="panel guide" lang="en" dir="ltr">${content}</article>`,
    }),
  );
}

/** Returns the file of a page. */
export function fileOf(name: string): URL {
  return new URL(`../../../docs/${name}.md`, import.meta.url);
}

/** Returns the address of a link in the guide; undefined for a page of the documentation that isn't served here. */
export function addressOf(target: string): string | undefined {
  if (/^https?:\/\/|^#/.test(target)) return target;
  const [, name = "", fragment = ""] = /^([a-z-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (!Object.hasOwn(GUIDE_PAGES, name)) return undefined;
  return `${name === FIRST ? GUIDE_PATH : `${GUIDE_PATH}/${name}`}${fragment}`;
}

function guideMissing(): PageError {
  return new PageError(
    404,
    ({ dashboard }) => dashboard.guide.missingTitle,
    ({ dashboard }) => dashboard.guide.missingText,
    { link: { href: GUIDE_PATH, text: ({ frame }) => frame.guide } },
  );
}
