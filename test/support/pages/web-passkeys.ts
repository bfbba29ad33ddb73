import { hiddenFieldsOf, type PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { type AnswerChanges, SoftwareAuthenticator } from "../../../services/auth/testing/software-authenticator.ts";
import { ISSUER } from "../processes/auth-fixture.ts";

export const PASSKEY_SIGN_IN = "/sign-in/passkey";
export const PASSKEYS = "/account/passkeys";

/** Asks the question of a page's form, as its script does. @param action of the form */
export async function askQuestion(browser: PageBrowser, page: ShownPage, action: string): Promise<string> {
  const answer = await browser.post(`${action}/question`, Object.fromEntries(hiddenFieldsOf(page.html, action)));
  if (answer.status !== 200) throw new Error(`no question: ${answer.status}`);
  return answer.html;
}

/** Adds a passkey to the account of a browser's session. @returns the page after it */
export async function addPasskey(
  browser: PageBrowser,
  authenticator: SoftwareAuthenticator,
  changes: AnswerChanges = {},
): Promise<ShownPage> {
  const page = await browser.open(PASSKEYS);
  const credential = authenticator.create(await askQuestion(browser, page, PASSKEYS), changes);
  return browser.send(page, { action: PASSKEYS, fields: { credential } });
}

/** Signs in with the passkey that an authenticator made last. @returns the page after it */
export async function signInByPasskey(
  browser: PageBrowser,
  authenticator: SoftwareAuthenticator,
  changes: AnswerChanges = {},
): Promise<ShownPage> {
  const page = await browser.open("/sign-in");
  const credential = authenticator.get(await askQuestion(browser, page, PASSKEY_SIGN_IN), changes);
  return browser.send(page, { action: PASSKEY_SIGN_IN, fields: { credential } });
}

/** Adds a passkey to the account of a browser's session, and signs in with it. */
export async function holdPasskey(browser: PageBrowser): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator({ origin: ISSUER });
  const pages = [await addPasskey(browser, authenticator), await signInByPasskey(browser, authenticator)];
  if (pages.some(({ status }) => status !== 200)) throw new Error("the passkey was not accepted");
  return authenticator;
}
