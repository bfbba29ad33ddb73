import { html } from "hono/html";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type Member, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { SignInRequired, signInUrl } from "../../web/sessions/session.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { type Founder, type FounderSale, founderSaleOf, permitted } from "../base/founder.ts";
import { texts } from "../base/texts.ts";

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
  const { passkeys, ruleOn, ruleOff } = texts().members;
  const state = passkeysRequired ? ruleOn : ruleOff;
  return html`<section class="panel" aria-labelledby="passkeys"><h2 id="passkeys">${passkeys}</h2><p>${state}</p>
${role === Role.OWNER && (mayChangeRule(founder) ? ruleForm(found) : signInLink(sale.uuid))}</section>`;
}

function ruleForm({ sale, founder, members, passkeysRequired }: FounderSale): Html {
  const fields = hiddenFields(RULE_FORM, founder.sessionToken, { required: passkeysRequired ? "no" : "yes" });
  const { endRuleEffect, ruleEffect, onlyOwner, endRule, makeRule } = texts().members;
  return html`<p class="quiet">${passkeysRequired ? endRuleEffect : ruleEffect}</p>
${!passkeysRequired && !isSafeToLoseOne(members) && html`<p class="notice">${onlyOwner}</p>`}
<form method="post" action="${salePaths(sale.uuid).passkeyRule}">${fields}<div class="panel-foot"><button class="${passkeysRequired ? "danger" : "primary"} fit">${passkeysRequired ? endRule : makeRule}</button></div></form>`;
}

function signInLink(saleUuid: string): Html {
  const href = signInUrl({ next: `${salePaths(saleUuid).members}?change=1`, isRepeated: true, needsPasskey: true });
  const { ruleNeedsPasskey, yourAccount } = texts().members;
  const account = html`<a href="${AUTH_PATHS.account}">${yourAccount}</a>`;
  return html`<p class="quiet">${fillHtml(ruleNeedsPasskey, { account })}</p>
<div class="panel-foot"><a class="button secondary fit" href="${href}">${texts().base.signInWithPasskey}</a></div>`;
}

/** Whether several owners have passkeys, so that one who loses theirs stops nobody. */
function isSafeToLoseOne(members: readonly Member[]): boolean {
  return members.filter(({ role, hasPasskey }) => role === Role.OWNER && hasPasskey).length > 1;
}

/** Whether a user has signed in with a passkey, and recently. */
function mayChangeRule({ session, isRecent }: Founder): boolean {
  return isRecent && session.authenticatedBy === AuthenticationMethod.PASSKEY;
}
