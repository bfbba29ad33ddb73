import { html } from "hono/html";
import { ErrorReason, type ErrorStep } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { OAuthError } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { Html, Page } from "./layout.ts";
import type { PageError } from "./page-error.ts";
import { clientLine, testNotice } from "./requesting-client.ts";

/** Explanations of an authorization request's errors for the user. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  invalid_scope: "The application asks for something that it isn’t set up for.",
  access_denied: "Access was not given.",
  server_error: "Something went wrong on our side.",
  temporarily_unavailable: "We can’t answer at the moment. Please try again in a minute.",
};
const MISTAKEN = "The application that sent you here made a mistake in its request.";
const NOT_SENT_BACK = "To keep you safe we don’t send you back there. Please tell the people who run the application.";
const START_AGAIN = "Please go back to the application and start again.";
const TOOK_TOO_LONG = `You began more than half an hour ago. ${START_AGAIN}`;

const TITLES: Readonly<Partial<Record<ErrorReason, string>>> = {
  [ErrorReason.UNTRUSTED]: "This link doesn’t work",
  [ErrorReason.EXPIRED]: "This page is no longer valid",
  [ErrorReason.OTHER_BROWSER]: "This belongs to another browser",
  [ErrorReason.ANSWERED]: "You have already answered",
};

export function errorPage({ status, title, message, options }: PageError): Page {
  const { link, detail } = options;
  return {
    title,
    status,
    content: html`<h1>${title}</h1>
<p>${message}</p>
${detail && detailBox("For support", detail)}
${link && html`<p><a class="button secondary" href="${link.href}">${link.text}</a></p>`}`,
  };
}

/**
 * Returns the page about an error of an authorization request. Only requests of a known application have an onward
 * link: a click of the user, in place of a redirect, leads back to the application (RFC 9700 section 4.11.2).
 */
export function authorizationErrorPage({ error, client, redirectUrl, reason }: ErrorStep): Page {
  const title = TITLES[reason] ?? "This request can’t be completed";
  const isMistaken = reason === ErrorReason.UNTRUSTED || reason === ErrorReason.REFUSED;
  return {
    title,
    status: 400,
    notice: testNotice(client),
    content: html`<h1>${title}</h1>
${client && clientLine("Asked by", client)}
<p>${reason === ErrorReason.EXPIRED && client ? TOOK_TOO_LONG : reasonText(reason, error)}</p>
${isMistaken && error && detailBox("For its developers", `${error.error}: ${error.errorDescription}`)}
${redirectUrl && html`<p><a class="button secondary" href="${redirectUrl}" rel="noreferrer">Back to ${client?.redirectHost || "the application"}</a></p>`}`,
  };
}

function reasonText(reason: ErrorReason, error: OAuthError | undefined): string {
  switch (reason) {
    case ErrorReason.EXPIRED:
      return `It is more than half an hour old, or the link is incomplete. ${START_AGAIN}`;
    case ErrorReason.OTHER_BROWSER:
      return `A sign-in continues only in the browser in which it began. ${START_AGAIN}`;
    case ErrorReason.ANSWERED:
      return `This page is out of date: you have already answered. ${START_AGAIN}`;
    case ErrorReason.UNTRUSTED:
      return `${EXPLANATIONS[error?.error ?? ""] ?? MISTAKEN} ${NOT_SENT_BACK}`;
    default:
      return EXPLANATIONS[error?.error ?? ""] ?? MISTAKEN;
  }
}

function detailBox(title: string, detail: string): Html {
  return html`<div class="detail"><p class="quiet">${title}</p><p><code>${detail}</code></p></div>`;
}
