import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { ErrorReason, type ErrorStep } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { OAuthError } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { AUTH_PATHS } from "../sessions/auth-paths.ts";
import type { Texts } from "../texts/en.ts";
import { TEXTS } from "../texts/texts.ts";
import type { Html, Page } from "./layout.ts";
import type { PageError } from "./page-error.ts";
import { clientLine, testNotice } from "./requesting-application.ts";

/** Parameter of an authorization's address by which it begins again if it was answered. */
export const REPEATS = "again";

/** Returns the page about an error. */
export function errorPage(error: PageError, language: Language): Page {
  const { status, options } = error;
  const { link, detail } = options;
  const texts = TEXTS[language];
  const title = error.title(texts);
  return {
    title,
    status,
    language,
    content: html`<h1>${title}</h1>
<p>${error.text(texts)}</p>
${detail && detailBox(texts.error.forSupport, detail)}
${link && html`<p><a class="button secondary" href="${link.href}">${link.text(texts)}</a></p>`}`,
  };
}

/**
 * Returns the page about an error of an authorization request. Only requests of a known application have an onward
 * link: a click of the user, in place of a redirect, leads back to the application (RFC 9700 section 4.11.2).
 */
export function authorizationErrorPage(step: ErrorStep, language: Language): Page {
  const { error, client, redirectUrl, reason, authorizationHandle: handle } = step;
  const texts = TEXTS[language];
  const { authorization } = texts;
  const title = titleOf(reason, texts);
  const isMistaken = reason === ErrorReason.UNTRUSTED || reason === ErrorReason.REFUSED || isPushedRequestGone(error);
  const host = client?.redirectHost || authorization.theApplication;
  return {
    title,
    status: 400,
    language,
    notice: testNotice(client, texts),
    content: html`<h1>${title}</h1>
${client && clientLine(authorization.askedBy, client)}
<p>${reason === ErrorReason.EXPIRED && client ? authorization.tookTooLong : reasonText(step, texts)}</p>
${isMistaken && error && detailBox(authorization.forDevelopers, `${error.error}: ${error.errorDescription}`)}
${
  handle === ""
    ? redirectUrl &&
      html`<p><a class="button secondary" href="${redirectUrl}" rel="noreferrer">${fill(authorization.back, { host })}</a></p>`
    : html`<p><a class="button primary" href="${repetitionUrl(handle)}">${fill(authorization.goOn, { host })}</a></p>`
}`,
  };
}

/** Returns the address that begins an answered authorization again. */
function repetitionUrl(handle: string): string {
  return `${AUTH_PATHS.continue}?${new URLSearchParams({ authorization: handle, [REPEATS]: "1" })}`;
}

function titleOf(reason: ErrorReason, { authorization }: Texts): string {
  switch (reason) {
    case ErrorReason.UNTRUSTED:
      return authorization.untrustedTitle;
    case ErrorReason.EXPIRED:
      return authorization.expiredTitle;
    case ErrorReason.OTHER_BROWSER:
      return authorization.otherBrowserTitle;
    case ErrorReason.ANSWERED:
      return authorization.answeredTitle;
    default:
      return authorization.otherTitle;
  }
}

function reasonText({ reason, error, authorizationHandle: handle }: ErrorStep, { authorization }: Texts): string {
  switch (reason) {
    case ErrorReason.EXPIRED:
      return isPushedRequestGone(error) ? authorization.expiredRequest : authorization.expired;
    case ErrorReason.OTHER_BROWSER:
      return authorization.otherBrowser;
    case ErrorReason.ANSWERED:
      return handle === "" ? authorization.answeredLongAgo : authorization.answered;
    case ErrorReason.UNTRUSTED:
      return `${explanation(error, authorization)} ${authorization.notSentBack}`;
    default:
      return explanation(error, authorization);
  }
}

/** Whether a pushed request (RFC 9126) is unknown or expired, after a minute rather than half an hour. */
function isPushedRequestGone(error: OAuthError | undefined): boolean {
  return error?.error === "invalid_request_uri";
}

/** Returns an explanation of an authorization request's error for the user. */
function explanation(error: OAuthError | undefined, authorization: Texts["authorization"]): string {
  switch (error?.error) {
    case "invalid_scope":
      return authorization.invalidScope;
    case "access_denied":
      return authorization.accessDenied;
    case "server_error":
      return authorization.serverError;
    case "temporarily_unavailable":
      return authorization.away;
    default:
      return authorization.mistaken;
  }
}

/** Returns a box with a text for others than the user. */
export function detailBox(title: string, detail: string): Html {
  return html`<div class="detail"><p class="quiet">${title}</p><p><code>${detail}</code></p></div>`;
}
