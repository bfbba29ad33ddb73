import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { Consent } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { FormTargets } from "../../web/pages/page-headers.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import type { Sender } from "../../web/sessions/browser-cookies.ts";
import { seesEntities } from "../../web/sessions/entity-scopes.ts";
import { orSignIn } from "../../web/sessions/session.ts";
import type { Texts } from "../../web/texts/en.ts";

/** The application to which a user goes back. */
export interface SendingApplication {
  readonly name: string;
  /** An address of its own, which its founder has registered. */
  readonly url: string;
  readonly saleUuid: string;
}

type ApplicationConsent = Pick<Consent, "clientUuid" | "clientName" | "saleUuid" | "origins" | "grantedScopes">;

/**
 * Returns the application that a user came from: the one that the browser's last authorization or link named, if the user has let it
 * in; without such a name the one that was let in last and sees entities. The address is always one that its founder has registered,
 * as anybody can name any other.
 *
 * @param consents the latest first
 */
export function sendingApplication(
  sender: Sender | undefined,
  consents: readonly ApplicationConsent[],
): SendingApplication | undefined {
  const open = consents.filter(({ origins }) => origins.length > 0);
  const consent =
    sender === undefined
      ? open.find(({ grantedScopes }) => seesEntities(grantedScopes))
      : (open.find(({ clientUuid }) => clientUuid === sender.uuid) ??
        open.find(({ saleUuid }) => saleUuid === sender.uuid));
  if (consent === undefined) return undefined;
  const origin = consent.origins.find((one) => one === sender?.origin) ?? consent.origins[0];
  return { name: consent.clientName, url: `${origin}/`, saleUuid: consent.saleUuid };
}

/** Returns the application that a signed-in user came from. */
export async function applicationOfSender(
  { clients }: Pick<AuthDependencies, "clients">,
  { sender, sessionToken }: { readonly sender: Sender | undefined; readonly sessionToken: string },
): Promise<SendingApplication | undefined> {
  const { consents } = await orSignIn(() => clients.accounts.listConsents({ sessionToken }));
  return sendingApplication(sender, consents);
}

/** Returns the application of a sale that a user came from: the one of the last authorization, or the one that was let in last. */
export async function sendingApplicationOf(
  c: AuthContext,
  { clients, cookies }: AuthDependencies,
  { saleUuid, sessionToken }: { readonly saleUuid: string; readonly sessionToken: string },
): Promise<SendingApplication | undefined> {
  const { consents } = await orSignIn(() => clients.accounts.listConsents({ sessionToken }));
  const ofSale = consents.filter((consent) => consent.saleUuid === saleUuid);
  const link = { uuid: saleUuid, origin: "" };
  return sendingApplication(cookies.sender(c), ofSale) ?? sendingApplication(link, ofSale);
}

/** Returns the targets of a form after which the application's page may come. */
export function targetsBackTo({ url }: SendingApplication): FormTargets {
  return url.startsWith("https:") ? "https" : "loopback";
}

/** Returns the link back to the application, where there is one. @param isNext whether that is what the user does next */
export function backToApplication(
  application: SendingApplication | undefined,
  { account }: Texts,
  isNext = false,
): Html | undefined {
  if (application === undefined) return undefined;
  const { name, url } = application;
  const text = fill(account.backTo, { application: name });
  return html`<p class="back"><a class="button ${isNext ? "primary" : "secondary"}" href="${url}"><bdi>${text}</bdi></a></p>`;
}
