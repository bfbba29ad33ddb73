import { readFile } from "node:fs/promises";
import { html } from "hono/html";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { markdownHtml } from "./markdown.ts";

/** The pages of the guide: files below `docs/`, by name, with their titles. The first one is at `/dashboard/guide`. */
export const GUIDE_PAGES: Readonly<Record<string, string>> = {
  "for-founders": "For founders",
  sales: "Setting up a sale",
  "sign-in": "Signing users in",
  "public-read": "Reading figures",
  embed: "A sale on your own page",
  webhooks: "Webhooks",
};
const [FIRST = ""] = Object.keys(GUIDE_PAGES);

/** `GET /dashboard/guide` and `GET /dashboard/guide/{name}`; nobody needs to be signed in to read them. */
export async function showGuide(c: AuthContext) {
  const name = c.req.param("name") ?? FIRST;
  const title = Object.hasOwn(GUIDE_PAGES, name) ? GUIDE_PAGES[name] : undefined;
  if (title === undefined) throw guideMissing();
  const content = markdownHtml(await readFile(fileOf(name), "utf8"), addressOf);
  const crumbs = name === FIRST ? [] : [{ href: GUIDE_PATH, text: "Guide" }];
  return showPage(
    c,
    dashboardPage({ title, crumbs, content: html`<article class="panel guide">${content}</article>` }),
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
  return new PageError(404, "There is no such page", "The guide has no page of this name.", {
    link: { href: GUIDE_PATH, text: "Guide" },
  });
}
