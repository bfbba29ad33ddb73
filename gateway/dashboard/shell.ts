import { html } from "hono/html";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import { AUTH_PATHS, DASHBOARD_PATH } from "../web/auth/auth-paths.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import type { Html, Page } from "../web/pages/layout.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import { DASHBOARD_SCRIPT, DASHBOARD_STYLESHEET } from "./dashboard-assets.ts";
import type { FormErrors } from "./form-errors.ts";

/** A way back up, by its words. */
export interface Crumb {
  readonly href: string;
  readonly text: string;
}

export interface DashboardPage {
  readonly title: string;
  readonly content: Html;
  /** From the sales down to the page above. */
  readonly crumbs?: readonly Crumb[];
  readonly errors?: FormErrors;
  readonly notice?: Html | undefined;
}

/** A page of the dashboard. */
export function dashboardPage({ title, content, crumbs = [], errors = [], notice }: DashboardPage): Page {
  return {
    title: errors.length === 0 ? title : `Error: ${title}`,
    status: errors.length === 0 ? 200 : 422,
    isBroad: true,
    stylesheet: DASHBOARD_STYLESHEET,
    script: DASHBOARD_SCRIPT,
    navigation: navigation(),
    notice,
    content: html`${crumbs.length > 0 && trail(crumbs)}${content}`,
  };
}

function navigation(): Html {
  return html`<header class="top"><nav aria-label="Tidemark"><a class="brand" href="${DASHBOARD_PATH}">Tidemark</a>
<a href="${DASHBOARD_PATH}">My sales</a><a href="${AUTH_PATHS.account}">Account</a></nav></header>`;
}

function trail(crumbs: readonly Crumb[]): Html {
  const last = crumbs.length - 1;
  return html`<nav class="trail" aria-label="Where this is"><ol>${crumbs.map(
    ({ href, text }, index) =>
      html`<li><a href="${href}"${index === last && html` class="trail-end"`}><bdi>${text}</bdi></a></li>`,
  )}</ol></nav>`;
}

/** A form of the dashboard, and the session that it was shown to. */
export function founderForm(c: AuthContext, dependencies: AuthDependencies, purpose: string): Promise<PageForm> {
  return guardedForm(c, dependencies, guardOf(c, dependencies, purpose));
}

/** What a form of the dashboard is checked by. */
export function guardOf(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const link = () => ({ href: DASHBOARD_PATH, text: "My sales" });
  return { purpose, secret: dependencies.cookies.sessionToken(c), link };
}

/** Text that a button copies, where there is script. */
export function copyable(label: string, text: string): Html {
  return html`<div class="copyable"><span class="copy-label">${label}</span><code>${text}</code>
<button type="button" class="secondary small copy" data-copy="${text}" aria-label="Copy ${label}" hidden>Copy</button></div>`;
}

/** Longer text of the same kind, such as a program. */
export function copyableBlock(label: string, text: string): Html {
  return html`<div class="copyable block"><span class="copy-label">${label}</span>
<button type="button" class="secondary small copy" data-copy="${text}" aria-label="Copy ${label}" hidden>Copy</button>
<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></div>`;
}

/** What was just done. */
export function doneLine(text: string | undefined): Html {
  return html`${text && html`<p class="done-line" role="status">${text}</p>`}`;
}
