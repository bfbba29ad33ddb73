import { PageBrowser, type ShownPage } from "../../gateway/testing/page-browser.ts";
import { codeIn } from "../../services/auth/testing/mail-outbox.ts";
import { newestMail } from "./mail-folder.ts";
import { CONSENT } from "./web-application.ts";

export interface PageSignIn {
  /** Of an application's authorization. */
  readonly authorizeUrl: string;
  readonly email: string;
  readonly mailFolder: string;
  /** Whether to tick that the application may see the address. */
  readonly sharesEmail?: boolean;
}

/**
 * Signs somebody in through the pages, in a browser that has never been there, and lets the application in.
 *
 * @returns where the browser is sent
 */
export async function signInByPages(options: PageSignIn): Promise<URL> {
  const { origin, pathname, search } = new URL(options.authorizeUrl);
  const browser = new PageBrowser(origin);
  const asked = await browser.open(pathname + search);
  const sent = await browser.send(asked, { action: "/sign-in", fields: { email: options.email } });
  const code = codeIn(await newestMail(options.mailFolder));
  const consent = await browser.send(sent, { action: "/sign-in/code", fields: { code } });
  const fields = { decision: "allow", ...(options.sharesEmail && { scope: "contact_email" }) };
  return leftTo(await browser.send(consent, { action: CONSENT, fields }));
}

function leftTo({ leftTo, html }: ShownPage): URL {
  if (leftTo === undefined) throw new Error(`the browser isn't sent back: ${html}`);
  return new URL(leftTo);
}
