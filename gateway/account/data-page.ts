import { html } from "hono/html";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { Page } from "../web/pages/layout.ts";

/** Returns the page that says what the file of a person's data has. @param takesPart whether people take part through this gateway */
export function dataPage(email: string, takesPart: boolean): Page {
  const title = "Your data";
  return {
    title,
    content: html`<h1>${title}</h1>
<p>The file has what is stored about <strong><bdi>${email}</bdi></strong>, in a form that programs read (JSON):</p>
<ul><li>your address, and since when you have the account,</li><li>where you are signed in,</li>
<li>the applications with access, with what you allowed and what you didn’t,</li>
${
  takesPart &&
  html`<li>the person and the organizations that take part in sales: name, country, identity check, linked wallets, and their IDs in each sale,</li>
<li>the newest 1,000 purchase permits.</li>`
}</ul>
<p class="quiet">Not in it: the record of sign-ins and changes, which is kept for some time against misuse, sales that you run, which the dashboard shows, and lists of a sale on which its founders may have put you. ${takesPart && "Your account shows which entities you have hidden from an application. Whoever has checked your identity keeps the documents; we never had them."}</p>
<p class="quiet">Keep the file to yourself.</p>
<div class="actions"><a class="button primary" href="${AUTH_PATHS.dataFile}" download>Download</a><a class="button secondary" href="${AUTH_PATHS.account}">Back</a></div>`,
  };
}
