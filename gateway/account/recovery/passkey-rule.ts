import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { requirePasskeySession } from "../../web/sessions/passkey-session.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { orSignIn } from "../../web/sessions/session.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { accountUrl } from "../base/account-url.ts";
import { orRecovery } from "./operator-recovery.ts";
import { PASSKEY_RULE_FORM, passkeyRulePage } from "./passkey-rule-page.ts";

const NEXT = "passkey-rule";

/** `GET /account/passkey-rule` */
export async function showPasskeyRule(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken, rules } = await requirePasskeySession(c, dependencies, NEXT);
  const view = { sessionToken, passkeys: rules?.passkeys ?? 0, isRequired: rules?.passkeyRequired ?? false };
  return showPage(c, passkeyRulePage(view, requestLanguage(c.env.incoming)));
}

/** `POST /account/passkey-rule` */
export async function setPasskeyRule(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, PASSKEY_RULE_FORM);
  const { sessionToken, rules } = await requirePasskeySession(c, dependencies, NEXT);
  if (rules === undefined || rules.passkeys === 0) return c.redirect(AUTH_PATHS.passkeyRule, 303);
  const required = form.text("required") === "yes";
  const request = { sessionToken, required, peer: peerOf(c, dependencies) };
  const change = () => orSignIn(() => dependencies.clients.accounts.setPasskeyRequired(request), NEXT);
  const done = accountUrl(required ? "passkey-required" : "passkey-not-required");
  return c.redirect(await orRecovery(change, done), 303);
}
