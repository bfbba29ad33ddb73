import { html } from "hono/html";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type Member, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { SignInRequired, signInUrl } from "../../web/sessions/session.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { type Founder, type FounderSale, founderSaleOf, permitted } from "../base/founder.ts";

const RULE_FORM = "passkey rule of a sale";

/** `POST /dashboard/sales/{uuid}/members/passkeys`: requires passkeys of owners and editors, or no longer. */
export async function setPasskeyRule(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, RULE_FORM);
  const members = c.req.path.replace(/\/passkeys$/, "");
  const { founder, sale } = await founderSaleOf(c, dependencies, members);
  if (!mayChangeRule(founder)) throw new SignInRequired(`${members}?change=1`, true, true);
  const required = form.text("required") === "yes";
  const request = { saleUuid: sale.uuid, required, peer: peerOf(c, dependencies) };
  await permitted(() => dependencies.clients.memberships.setSalePasskeyRule(request, founder.atAuth));
  return c.redirect(`${members}?done=${required ? "passkeys-required" : "passkeys-not-required"}`, 303);
}

/** Returns the part of the members page about passkeys. */
export function passkeyRuleSection(found: FounderSale): Html {
  const { sale, role, founder, passkeysRequired } = found;
  const state = passkeysRequired
    ? "Owners and editors must sign in with a passkey. Viewers need none."
    : "Whoever reads the e-mails of an owner or an editor can sign in as them. With passkeys they can’t.";
  return html`<section class="panel" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2><p>${state}</p>
${role === Role.OWNER && (mayChangeRule(founder) ? ruleForm(found) : signInLink(sale.uuid))}</section>`;
}

function ruleForm({ sale, founder, members, passkeysRequired }: FounderSale): Html {
  const fields = hiddenFields(RULE_FORM, founder.sessionToken, { required: passkeysRequired ? "no" : "yes" });
  const effect = passkeysRequired
    ? "Without this rule a code from an e-mail is enough again."
    : "From then on, owners and editors who signed in with a code can’t see or change the sale until they sign in with a passkey. Whoever has none can add one in their account.";
  return html`<p class="quiet">${effect} All owners are notified by e-mail.</p>
${!passkeysRequired && !isSafeToLoseOne(members) && html`<p class="notice">${ONLY_OWNER}</p>`}
<form method="post" action="${salePaths(sale.uuid).passkeyRule}">${fields}<div class="panel-foot"><button class="${passkeysRequired ? "danger" : "primary"} fit">${passkeysRequired ? "No longer require passkeys" : "Require passkeys"}</button></div></form>`;
}

function signInLink(saleUuid: string): Html {
  const href = signInUrl({ next: `${salePaths(saleUuid).members}?change=1`, isRepeated: true, needsPasskey: true });
  return html`<p class="quiet">To change this, sign in with a passkey first. You add one in <a href="/account">your account</a>.</p>
<div class="panel-foot"><a class="button secondary fit" href="${href}">Sign in with a passkey</a></div>`;
}

const ONLY_OWNER =
  "No other owner has a passkey. If you lose yours, nobody can change the sale until you have recovered your account, which takes 72 hours. Let a second owner add one first.";

/** Whether several owners have passkeys, so that one who loses theirs stops nobody. */
function isSafeToLoseOne(members: readonly Member[]): boolean {
  return members.filter(({ role, hasPasskey }) => role === Role.OWNER && hasPasskey).length > 1;
}

/** Whether a user has signed in with a passkey, and recently. */
function mayChangeRule({ session, isRecent }: Founder): boolean {
  return isRecent && session.authenticatedBy === AuthenticationMethod.PASSKEY;
}
