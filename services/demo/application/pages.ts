import { html } from "hono/html";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { PreparedAuthorization } from "./oauth-client.ts";
import type { Step, Visit } from "./visits.ts";

type Html = ReturnType<typeof html>;
type Parameters = readonly (readonly [name: string, value: string])[];

/** The page of a visit: the steps so far, and buttons for the next ones. */
export function visitPage(visit: Visit, prepared: PreparedAuthorization, issuer: string): Html {
  if (visit.callback === undefined) return startPage(prepared, issuer);
  const { requestUrl, callback, tokens, steps } = visit;
  return documentOf(html`<h1>${tokens === undefined ? "The sign-in failed" : "The sign-in, step by step"}</h1>
<p class="lead">Every request that the application sent, with its answer.</p>
${requestUrl && card("The authorization request", requestDetails(requestUrl))}
${callbackStep(callback)}
${steps.map(stepCard)}
${tokens === undefined ? startAgain("primary") : html`${tokenCard(tokens.accessToken)}${nextActions()}`}`);
}

function startPage(prepared: PreparedAuthorization, issuer: string): Html {
  return documentOf(html`<h1>An application of the demo auction</h1>
<p class="lead">Its users sign in with Tidemark at <b>${new URL(issuer).host}</b>. These pages show every step.</p>
${requestStep(prepared)}`);
}

export function problemPage(problem: string): Html {
  return documentOf(html`<h1>That didn’t work</h1>
<p>${problem}</p>
<p><a class="button" href="/">Back to the start</a></p>`);
}

function requestStep({ url, codeVerifier }: PreparedAuthorization): Html {
  return card(
    "The authorization request",
    html`${requestDetails(url)}
<p>The challenge is the SHA-256 of a secret, the code verifier, which stays here until the browser comes back with a code:
<code>${codeVerifier}</code>. A stolen code is useless without the verifier.</p>
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

function stepCard({ title, calls, problem }: Step): Html {
  return card(
    title,
    html`${calls.map(
      ({ request, answer }) => html`<h3>Request</h3><pre>${request}</pre><h3>Answer</h3><pre>${answer}</pre>`,
    )}
${problem && html`<p class="problem" role="alert"><b>Refused.</b> ${problem}</p>`}`,
  );
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
  const button = (path: string, label: string) =>
    html`<form method="post" action="${path}"><button>${label}</button></form>`;
  return html`<div class="actions">
${button("/user", "Ask who the user is")}
${button("/refresh", "Refresh the tokens")}
${button("/revoke", "Revoke the tokens")}
${startAgain("")}
</div>`;
}

function startAgain(kind: "primary" | ""): Html {
  return html`<form method="post" action="/again"><button class="${kind}">Start again</button></form>`;
}

function card(title: string, content: Html): Html {
  return html`<section><h2>${title}</h2>
${content}
</section>`;
}

function parameterList(parameters: Parameters): Html {
  return html`<dl>${parameters.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`;
}

function documentOf(content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Demo application</title>
<link rel="icon" type="image/png" href="/logo.png">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><img src="/logo.png" alt="" width="40" height="40"><a href="/">Demo application</a></header>
<main>
${content}
</main>
</body>
</html>
`;
}
