import { Code } from "@connectrpc/connect";
import { html } from "hono/html";
import { ALERT_STOP_TOKEN, alertStopUrl } from "../../../common/internal-api/alert-stop.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { boundedBody, MAX_SMALL_BODY_BYTES } from "../../web/http/request-body.ts";
import { ACCOUNT_LINK } from "../../web/pages/account-link.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { AlertDependencies } from "./alert-dependencies.ts";

/** A token as mails have it. Whether a mail has it, only the POST tells. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** `GET /account/alerts/stop`, where the link of a mail leads. It changes nothing: mail programs and their guards open links by themselves. */
export function showStop(c: AuthContext) {
  return showPage(c, stopPage(tokenOf(c), requestLanguage(c.env.incoming)));
}

/**
 * `POST /account/alerts/stop`, by the button of the page and by mail programs (RFC 8058), which send no cookie, no `Origin` and a form of
 * either kind, and follow no redirect. The token alone says which mails end.
 */
export async function stopAlerts(c: AuthContext, { entitiesUpstream }: AlertDependencies) {
  const token = tokenOf(c);
  // What the form says is always the same, so that one that is too long does no harm: the token decides.
  await boundedBody(c, MAX_SMALL_BODY_BYTES);
  try {
    await entitiesUpstream.alerts.stopAlerts({ token });
  } catch (error) {
    throw isRefused(error, Code.NotFound) ? wrongLink() : error;
  }
  return showPage(c, stoppedPage(requestLanguage(c.env.incoming)));
}

function tokenOf(c: AuthContext): string {
  const token = c.req.query(ALERT_STOP_TOKEN) ?? "";
  if (TOKEN.test(token)) return token;
  throw wrongLink();
}

function wrongLink(): PageError {
  return new PageError(
    404,
    ({ alerts }) => alerts.wrongTitle,
    ({ alerts }) => alerts.wrongText,
    { link: ACCOUNT_LINK },
  );
}

function stopPage(token: string, language: Language): Page {
  const { alerts } = TEXTS[language];
  return {
    title: alerts.stopTitle,
    language,
    content: html`<h1>${alerts.stopTitle}</h1>
<p>${alerts.stopText}</p>
<form method="post" action="${alertStopUrl("", token)}"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="primary">${alerts.stop}</button></form>`,
  };
}

function stoppedPage(language: Language): Page {
  const { alerts, account } = TEXTS[language];
  return {
    title: alerts.stoppedTitle,
    language,
    content: html`<h1>${alerts.stoppedTitle}</h1>
<p role="status">${alerts.stoppedText}</p>
<p><a href="${AUTH_PATHS.account}">${account.back}</a></p>`,
  };
}
