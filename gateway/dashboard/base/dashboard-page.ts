import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedForm, showAgainLink } from "../../web/pages/form-guard.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { navigation } from "../../web/pages/navigation.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { SignInRequired } from "../../web/sessions/session.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { DASHBOARD_SCRIPT, DASHBOARD_STYLESHEET } from "./dashboard-assets.ts";
import type { FormErrors } from "./form-errors.ts";
import { pageTexts, texts } from "./texts.ts";

/** A link of the path to a page. */
export interface Crumb {
  readonly href: string;
  readonly text: string;
}

export interface DashboardPage {
  readonly title: string;
  readonly content: Html;
  /** Links from the list of sales down to the page above. */
  readonly crumbs?: readonly Crumb[];
  readonly errors?: FormErrors;
  readonly notice?: Html | undefined;
}

/** Returns a page of the dashboard, in the language of the request. */
export function dashboardPage({ title, content, crumbs = [], errors = [], notice }: DashboardPage): Page {
  return {
    title: errors.length === 0 ? title : fill(pageTexts().form.errorTitle, { title }),
    status: errors.length === 0 ? 200 : 422,
    language: pageLanguage(),
    isBroad: true,
    stylesheet: DASHBOARD_STYLESHEET,
    script: DASHBOARD_SCRIPT,
    navigation: navigation(pageTexts()),
    notice,
    content: html`${crumbs.length > 0 && trail(crumbs)}${content}`,
  };
}

/** Returns a page about an error as one of the dashboard, with the links that its sale's pages have. */
export function inDashboard(page: Page): Page {
  return {
    ...dashboardPage({ title: page.title, content: html`<div class="panel">${page.content}</div>` }),
    ...{ status: page.status ?? 200, language: page.language },
  };
}

function trail(crumbs: readonly Crumb[]): Html {
  return html`<nav class="trail" aria-label="${texts().base.path}"><ol>${crumbs.map(
    ({ href, text }, index) =>
      html`<li><a href="${href}"${index === 1 && html` class="trail-name"`}><bdi>${text}</bdi></a></li>`,
  )}</ol></nav>`;
}

/** Reads a form of the dashboard, and the session that it was shown to. */
export function founderForm(c: AuthContext, dependencies: AuthDependencies, purpose: string): Promise<PageForm> {
  return guardedForm(c, dependencies, guardOf(c, dependencies, purpose));
}

/** Returns the check of a form of the dashboard. A GET of its address shows its page, to which a sign-in leads back. */
export function guardOf(c: AuthContext, dependencies: AuthDependencies, purpose: string) {
  const { path } = c.req;
  const link = () => showAgainLink(path);
  const ended = () => new SignInRequired(path, false);
  return { purpose, secret: dependencies.cookies.sessionToken(c), link, ended };
}

/** Returns text with a button that copies it, where scripts run. */
export function copyable(label: string, text: string): Html {
  return html`<div class="copyable"><span class="copy-label">${label}</span><code dir="ltr">${text}</code>
${copyButton(label, text)}</div>`;
}

/** Returns longer text with such a button, for example a program. */
export function copyableBlock(label: string, text: string): Html {
  return html`<div class="copyable block"><span class="copy-label">${label}</span>
${copyButton(label, text)}
<pre tabindex="0" role="region" aria-label="${label}" dir="ltr"><code>${text}</code></pre></div>`;
}

function copyButton(label: string, text: string): Html {
  const { copy, copied, notCopied, copyOf } = texts().base;
  return html`<button type="button" class="secondary small copy" data-copy="${text}" data-done="${copied}" data-failed="${notCopied}" aria-label="${fill(copyOf, { what: label })}" hidden>${copy}</button>`;
}

/** Returns the message about the change that was just made. */
export function doneLine(text: string | undefined): Html {
  return html`${text && html`<p class="done-line" role="status">${text}</p>`}`;
}
