import { escapeHtml } from "../../common/platform/encoding/escape-html.ts";
import type { StoredMail } from "../auth/mail/stored-mails.ts";

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}
h1{font-size:1.25rem}
h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
article{border-top:1px solid light-dark(#ccd,#445);padding:1rem 0}
p{margin:.25rem 0;overflow-wrap:anywhere}
pre{background:light-dark(#f3f4f8,#1d2029);border-radius:.5rem;font:inherit;margin:.5rem 0 0;overflow-wrap:anywhere;padding:.75rem;white-space:pre-wrap}`;

/** Headers of the page: it loads nothing, runs no script, and stays in no cache and in no frame. */
export const MAIL_PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Returns the page of the latest mails, the newest first, which loads itself again every five seconds. */
export function mailPage(mails: readonly StoredMail[]): string {
  const articles = mails.map(
    ({ to, subject, date, text }) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, ${escapeHtml(date)}</p>
<pre>${escapeHtml(text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Mails of this evaluation</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mails of this evaluation</h1>
<p>Nothing is sent. ${mails.length === 0 ? "There is no mail yet: sign in, and the one with your code appears here." : "The latest mail is the first."}</p>
${articles.join("\n")}
</main>
</body>
</html>
`;
}
