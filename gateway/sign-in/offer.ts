import type { AuthContext } from "../web/http/hono-context.ts";
import { showPage } from "../web/pages/layout.ts";
import { sessionForm } from "../web/pages/session-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { requireSession } from "../web/sessions/session.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { DECLINE_FORM, offerPage } from "./offer-page.ts";
import { knownNext, purposeOf, targetOf } from "./start-session.ts";

/** `GET /account/passkeys/offer` */
export async function showOffer(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken } = await requireSession(c, dependencies);
  const purpose = { authorization: c.req.query("authorization") ?? "", next: knownNext(c.req.query("next") ?? "") };
  return showPage(c, offerPage({ ...purpose, sessionToken }, requestLanguage(c.env.incoming)));
}

/** `POST /account/passkeys/offer`: not now. The sign-in goes on where it would have gone. */
export async function declineOffer(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, DECLINE_FORM);
  dependencies.cookies.setDeclinedPasskey(c);
  return c.redirect(targetOf(purposeOf(form)), 303);
}
