import { PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { CONSENT } from "../applications/web-application.ts";
import { newestMail } from "../processes/mail-folder.ts";

export interface PageSignIn {
  /** The URL of an application's authorization. */
  readonly authorizeUrl: string;
  readonly email: string;
  /** Whether to tick the box for the e-mail address. */
  readonly sharesEmail?: boolean;
}

/**
 * Signs a person in through the pages, in a new browser, with the newest mail of a folder, and grants the application access.
 *
 * @returns the URL to which the browser is redirected
 */
export function signInByPages({ mailFolder, ...options }: PageSignIn & { readonly mailFolder: string }): Promise<URL> {
  return signInByMail({ ...options, readMail: () => newestMail(mailFolder) });
}

/** Does the same with the mail that is read once it was sent. */
export async function signInByMail(options: PageSignIn & { readonly readMail: () => Promise<string> }): Promise<URL> {
  const { origin, pathname, search } = new URL(options.authorizeUrl);
  const browser = new PageBrowser(origin);
  const asked = await browser.open(pathname + search);
  const sent = await browser.send(asked, { action: "/sign-in", fields: { email: options.email } });
  const code = codeIn(await options.readMail());
  const consent = await browser.send(sent, { action: "/sign-in/code", fields: { code } });
  const fields = { decision: "allow", ...(options.sharesEmail && { scope: "contact_email" }) };
  return leftTo(await browser.send(consent, { action: CONSENT, fields }));
}

function leftTo({ leftTo, html }: ShownPage): URL {
  if (leftTo === undefined) throw new Error(`the browser isn't sent back: ${html}`);
  return new URL(leftTo);
}
