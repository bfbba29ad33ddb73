import { html } from "hono/html";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { Page } from "../web/pages/layout.ts";

export function signedOutPage(isDeleted: boolean): Page {
  const title = isDeleted ? "Your account is deleted" : "You are signed out";
  return {
    title,
    content: html`<h1>${title}</h1>
${
  isDeleted
    ? html`<p>Your sessions are ended, and no application has access any more. You can close this page.</p>`
    : html`<p>Applications that you signed in to may have sessions of their own.</p>
<p><a class="button secondary" href="${AUTH_PATHS.signIn}">Sign in again</a></p>`
}`,
  };
}
