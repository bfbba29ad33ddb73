import { Code } from "@connectrpc/connect";
import { parseUuid } from "../../../services/shared/encoding/uuid.ts";
import { atEntities } from "../../web/auth/at-entities.ts";
import { isRefused } from "../../web/auth/auth-failure.ts";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { requireRecentSession } from "../../web/auth/session.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { LIVENESS_FORM, type LivenessSubject, livenessConfirmedPage, livenessPage } from "./liveness-page.ts";

const LINK = { href: AUTH_PATHS.account, text: "Your account" };

/** `GET /account/liveness`: where a sale sends a person who has to prove to be present. */
export async function showLiveness(c: AuthContext, dependencies: EntityDependencies) {
  const subject = subjectOf(c.req.query("sale"), c.req.query("entity"));
  const { sessionToken, account } = await requireRecentSession(c, dependencies, pathOf(subject));
  return showPage(c, livenessPage({ ...subject, sessionToken, email: account.email }));
}

/** `POST /account/liveness` */
export async function confirmLiveness(c: AuthContext, dependencies: EntityDependencies) {
  const { form } = await sessionForm(c, dependencies, LIVENESS_FORM);
  const subject = subjectOf(form.text("sale"), form.text("entity"));
  const current = await requireRecentSession(c, dependencies, pathOf(subject));
  const options = await atEntities(current, dependencies, pathOf(subject));
  try {
    await dependencies.participation.entities.confirmLiveness(subject, options);
  } catch (error) {
    throw asPage(error, current.account.email);
  }
  return showPage(c, livenessConfirmedPage());
}

function subjectOf(sale = "", entity = ""): LivenessSubject {
  const [saleUuid, entityUuid] = [parseUuid(sale), parseUuid(entity)];
  if (saleUuid !== undefined && entityUuid !== undefined) return { saleUuid, entityUuid };
  throw new PageError(
    400,
    "This link is incomplete",
    "It must name a sale and an entity. Please go back to the application that sent you here, and follow its link again.",
    { link: LINK },
  );
}

/** Returns the page's address, as `nextPath` knows it. */
function pathOf({ saleUuid, entityUuid }: LivenessSubject): string {
  return `${AUTH_PATHS.liveness}?sale=${saleUuid}&entity=${entityUuid}`;
}

/** Returns what a page can say about a refusal; the error itself for any other. */
function asPage(error: unknown, email: string): unknown {
  if (isRefused(error, Code.NotFound)) {
    const text = `The account of ${email} has no such entity. Perhaps you use another address with the application: sign out, sign in with that one, and follow the link again.`;
    return new PageError(404, "This link isn’t for your account", text, { link: LINK });
  }
  if (isRefused(error, Code.FailedPrecondition)) {
    const text = "Go back to the application and try again: it gives you a link to the page where this is done.";
    return new PageError(409, "This can’t be confirmed here", text, { link: LINK });
  }
  return error;
}
