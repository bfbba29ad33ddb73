import { html } from "hono/html";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { absenceNote, type BidPanelOptions, bidPanel } from "./bid-panel.ts";
import { actionButton, card, documentOf, type Html } from "./document.ts";
import type { PreparedAuthorization } from "./oauth-client.ts";
import type { TracedCall } from "./traced-fetch.ts";
import type { Step, Visit } from "./visits.ts";

type Parameters = readonly (readonly [name: string, value: string])[];

export interface VisitPageOptions extends BidPanelOptions {
  /** The next sign-in. */
  readonly prepared: PreparedAuthorization;
}

/** The page of a visit: what can be done next, and the steps so far. */
export function visitPage(visit: Visit, options: VisitPageOptions): Html {
  if (visit.callback === undefined) return startPage(options);
  const { requestUrl, callback, tokens, steps } = visit;
  return documentOf(html`<h1>${tokens === undefined ? "The sign-in failed" : "From sign-in to a bid"}</h1>
${tokens === undefined ? failurePart(callback, steps.at(-1)?.problem) : bidPanel(visit, options)}
<h2 class="part">${tokens === undefined ? "What happened" : "Step by step"}</h2>
<p class="lead">Every request that the application sent, with its answer and the code to write.</p>
${requestUrl && card("The authorization request", requestDetails(requestUrl))}
${callbackStep(callback)}
${steps.map((step, index) => stepCard(step, index === steps.length - 1))}
${tokens && html`${tokenCard(tokens.access_token)}${nextActions()}`}`);
}

/** Says why nobody is signed in, and what to do. */
function failurePart(callback: Parameters, problem: string | undefined): Html {
  const isDeclined = callback.some(([name, value]) => name === "error" && value === "access_denied");
  return html`<section class="now"><p class="problem" role="alert"><b>Refused.</b> ${problem}</p>
${isDeclined && html`<p>You didn’t allow it, so this application knows nothing about you. Start again if you change your mind.</p>`}
${actionButton("/again", "Start again", "primary")}
</section>`;
}

function startPage({ prepared, issuer, bidding }: VisitPageOptions): Html {
  return documentOf(html`<h1>An application of the demo auction</h1>
<p class="lead">Its users sign in with Tidemark at <b>${new URL(issuer).host}</b>, get a purchase permit, and bid. These pages
show every step.</p>
${absenceNote(bidding)}
${requestStep(prepared)}`);
}

function requestStep({ url, attempt }: PreparedAuthorization): Html {
  return card(
    "The authorization request",
    html`${requestDetails(url)}
<p>The challenge is the SHA-256 of a secret, the code verifier, which stays here until the browser comes back with a code:
<code>${attempt.codeVerifier}</code>. A stolen code is useless without the verifier.</p>
<p><a class="button primary" href="${url}">Sign in with Tidemark</a></p>`,
  );
}

function requestDetails(url: string): Html {
  const { origin, pathname, searchParams } = new URL(url);
  return html`<p>The browser goes to <code>${origin}${pathname}</code> with these parameters:</p>
${parameterList([...searchParams])}`;
}

function callbackStep(callback: Parameters): Html {
  return card(
    "The browser came back",
    html`<p>Tidemark sent it here with these parameters. The application uses the code only if <code>state</code> is the
request’s own and <code>iss</code> is the server that the request went to.</p>
${parameterList(callback)}`,
  );
}

function stepCard({ title, meaning, calls, code, problem }: Step, isLast: boolean): Html {
  return card(
    title,
    html`${meaning && html`<p>${meaning}</p>`}
${problem && html`<p class="problem"><b>Refused.</b> ${problem}</p>`}
${
  calls.length > 0 &&
  html`<details${isLast ? html` open` : ""}><summary>Request and answer</summary>
${calls.map(callDetails)}</details>`
}
${codeDetails(code, calls)}`,
  );
}

function callDetails({ request, answer }: TracedCall): Html {
  return html`<h3>Request</h3><pre>${request}</pre><h3>Answer</h3><pre>${answer}</pre>`;
}

function codeDetails(code: string | undefined, calls: readonly TracedCall[]): Html {
  const withFetch = calls.flatMap(({ fetchCode }) => fetchCode ?? []);
  if (code === undefined && withFetch.length === 0) return html``;
  return html`<details><summary>The code</summary>
${code && html`<h3>With a library</h3><pre>${code}</pre>`}
${withFetch.map((text) => html`<h3>With fetch</h3><pre>${text}</pre>`)}
</details>`;
}

function tokenCard(accessToken: string): Html {
  const shown = JSON.stringify({ header: decodeProtectedHeader(accessToken), claims: decodeJwt(accessToken) }, null, 2);
  return card(
    "What services see in the access token",
    html`<p>The application treats the token as opaque. Services that accept it check its signature and read this:</p>
<pre>${shown}</pre>`,
  );
}

function nextActions(): Html {
  return html`<div class="actions">
${actionButton("/user", "Ask who the user is")}
${actionButton("/refresh", "Refresh the tokens")}
${actionButton("/revoke", "Revoke the tokens")}
${actionButton("/again", "Start again")}
</div>`;
}

function parameterList(parameters: Parameters): Html {
  return html`<dl>${parameters.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`;
}
