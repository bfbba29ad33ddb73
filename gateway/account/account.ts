import { Code } from "@connectrpc/connect";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import { showPage } from "../web/pages/layout.ts";
import { uuidField } from "../web/pages/page-form.ts";
import { sessionForm } from "../web/pages/session-form.ts";
import { atEntities } from "../web/sessions/at-entities.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { authFailure, isRefused } from "../web/sessions/auth-failure.ts";
import { canHavePasskeys } from "../web/sessions/passkey-host.ts";
import { signInRulesOf } from "../web/sessions/passkey-session.ts";
import { shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { orSignIn, requireSession } from "../web/sessions/session.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { accountPage, END_OTHERS_FORM, END_SESSION_FORM, WITHDRAW_FORM } from "./account-page.ts";
import { alertsOf } from "./alerts/alerts.ts";
import { ACCOUNT_CHANGES, type AccountChange, accountUrl } from "./base/account-url.ts";
import { sendingApplication } from "./base/sending-application.ts";
import type { EntitiesView } from "./entities/entities-section.ts";
import { ownBids } from "./entities/own-bids.ts";
import { saleContacts } from "./entities/sale-contacts.ts";
import { passkeysOf } from "./passkeys/passkeys.ts";
import { orRecovery } from "./recovery/operator-recovery.ts";

/** `GET /account` */
export async function showAccount(c: AuthContext, dependencies: AuthDependencies) {
  const { accounts } = dependencies.clients;
  const { account, sessionToken } = await requireSession(c, dependencies);
  const [{ sessions }, { consents }, passkeys, rules, entities] = await orSignIn(() =>
    Promise.all([
      accounts.listSessions({ sessionToken }),
      accounts.listConsents({ sessionToken }),
      canHavePasskeys(dependencies.config.authUrl) ? passkeysOf(dependencies, sessionToken) : undefined,
      signInRulesOf(dependencies, sessionToken),
      entitiesOf(dependencies, sessionToken),
    ]),
  );
  const done = changeOf(c.req.query("done"));
  const { hasDashboard } = dependencies;
  const { email } = account;
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const failure = failureText(refusal, language);
  const application = sendingApplication(dependencies.cookies.sender(c), consents);
  const { publicBaseUrl } = dependencies.config;
  const lists = { sessions, consents, entities, passkeys, rules, application, publicBaseUrl };
  return showPage(c, accountPage({ ...lists, email, sessionToken, hasDashboard, done, failure }, language));
}

/** Returns the person's entities; without the entities service, the rest of the account is shown. */
async function entitiesOf(
  dependencies: AuthDependencies,
  sessionToken: string,
): Promise<EntitiesView | "away" | undefined> {
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined) return undefined;
  const options = await atEntities({ sessionToken }, dependencies, "");
  try {
    const [listed, { provider }, alerts] = await Promise.all([
      entitiesUpstream.entities.listEntities({}, options),
      entitiesUpstream.entities.getSetupPolicy({}, options),
      alertsOf(dependencies, options),
    ]);
    const { entities, permits, hasMorePermits, saleWallets, hasMoreSaleWallets: hasMoreWallets } = listed;
    const uuids = [...permits, ...saleWallets].map(({ saleUuid }) => saleUuid);
    const [bids, contacts] = await Promise.all([
      ownBids(dependencies.positions, saleWallets),
      saleContacts(dependencies.contactOf, uuids),
    ]);
    return { entities, provider, permits, hasMorePermits, bids, hasMoreWallets, contacts, alerts };
  } catch (error) {
    if (authFailure(error).kind === "unavailable") return "away";
    throw error;
  }
}

/** `POST /account/sessions/end` */
export async function endSession(c: AuthContext, dependencies: AuthDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, END_SESSION_FORM, "");
  const sessionUuid = uuidField(form, "session");
  const end = () => done(() => dependencies.clients.accounts.endSession({ sessionToken, sessionUuid }));
  return c.redirect(await orRecovery(end, accountUrl("session-ended")), 303);
}

/** `POST /account/sessions/end-others` */
export async function endOtherSessions(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken } = await sessionForm(c, dependencies, END_OTHERS_FORM, "");
  const end = () => orSignIn(() => dependencies.clients.accounts.endOtherSessions({ sessionToken }));
  return c.redirect(await orRecovery(end, accountUrl("others-ended")), 303);
}

/** `POST /account/applications/withdraw` */
export async function withdrawConsent(c: AuthContext, dependencies: AuthDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, WITHDRAW_FORM, "");
  const request = { sessionToken, clientUuid: uuidField(form, "client"), peer: peerOf(c, dependencies) };
  await done(() => dependencies.clients.accounts.withdrawConsent(request));
  return c.redirect(accountUrl("withdrawn"), 303);
}

/** Runs a call that removes something; an object that is gone already counts as success. */
async function done(call: () => Promise<unknown>): Promise<void> {
  try {
    await orSignIn(call);
  } catch (error) {
    if (!isRefused(error, Code.NotFound)) throw error;
  }
}

function changeOf(text: string | undefined): AccountChange | undefined {
  return ACCOUNT_CHANGES.find((done) => done === text);
}
