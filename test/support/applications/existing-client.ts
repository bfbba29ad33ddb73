import {
  buildAuthorizationUrl,
  createClient,
  generatePKCEParams,
  type SonarClient,
  type TokenResponse,
} from "@echoxyz/sonar-core";
import { PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { newEmail, SESSION_COOKIE } from "../pages/auth-web.ts";
import { ISSUER } from "../processes/auth-fixture.ts";
import type { EntitiesClients } from "../processes/entities-clients.ts";
import type { ParticipationWeb } from "./taking-part-web.ts";
import { CONSENT } from "./web-application.ts";

/** A user of an application that is written with the packages of the existing service. */
export interface ExistingClientUser {
  readonly email: string;
  readonly client: SonarClient;
  readonly tokens: TokenResponse;
  /** RPC clients for what the user does on the pages. */
  readonly pages: EntitiesClients;
  /** The number of answers so far for which the client signed its user out. */
  signOuts(): number;
}

/** Signs a new person in by mailed code, consents to everything, and exchanges the code as the package does. */
export async function signInWithExistingClient(web: ParticipationWeb, saleUuid: string): Promise<ExistingClientUser> {
  let signOuts = 0;
  const client = createClient({ apiURL: web.origin, onUnauthorized: () => (signOuts += 1) });
  const [email, browser] = [newEmail(), new PageBrowser(web.origin)];
  const { definition, uuid } = (await web.service.applicationOf(saleUuid)).client;
  const redirectURI = definition.redirectUris[0] ?? "";
  const { codeVerifier, codeChallenge, state } = await generatePKCEParams();
  const request = { clientUUID: uuid, redirectURI, state, codeChallenge, frontendURL: ISSUER };
  const { pathname, search } = buildAuthorizationUrl(request);
  const consent = await signIn(web, browser, await browser.open(pathname + search), email);
  const fields = { decision: "allow", scope: "contact_email" };
  const answer = answerOf(await browser.send(consent, { action: CONSENT, fields }));
  if (answer.get("state") !== state) throw new Error("another state came back");
  const tokens = await client.exchangeAuthorizationCode({ code: answer.get("code") ?? "", codeVerifier, redirectURI });
  client.setToken(tokens.access_token);
  const sessionToken = browser.cookies.get(SESSION_COOKIE) ?? "";
  const pages = await web.service.asPerson({ accountUuid: "", sessionToken });
  return { email, client, tokens, pages, signOuts: () => signOuts };
}

async function signIn(
  { service }: ParticipationWeb,
  browser: PageBrowser,
  asked: ShownPage,
  email: string,
): Promise<ShownPage> {
  // Mails of the same millisecond have no order.
  service.auth.time.advance(1);
  const sent = await browser.send(asked, { action: "/sign-in", fields: { email } });
  const mail = (await service.auth.mails()).findLast((text) => text.includes(`\nTo: ${email}\n`));
  return browser.send(sent, { action: "/sign-in/code", fields: { code: codeIn(mail ?? "") } });
}

function answerOf({ leftTo, html }: ShownPage): URLSearchParams {
  if (leftTo === undefined) throw new Error(`the browser isn't sent back: ${html}`);
  return new URL(leftTo).searchParams;
}
