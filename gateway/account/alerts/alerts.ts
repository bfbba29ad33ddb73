import { Code } from "@connectrpc/connect";
import type { AlertReason, SaleAlerts } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { uuidField } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { accountUrl } from "../base/account-url.ts";
import type { AlertDependencies } from "./alert-dependencies.ts";
import { ALERTS_FORM, REASON_NAMES } from "./alerts-form.ts";

/** `POST /account/alerts`: sets for what a person is mailed about a sale. */
export async function setAlerts(c: AuthContext, dependencies: AlertDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, ALERTS_FORM, "");
  const saleUuid = uuidField(form, "sale");
  const reasons: AlertReason[] = Object.entries(REASON_NAMES).flatMap(([name, reason]) =>
    form.has(name) ? [reason] : [],
  );
  const options = await atEntities({ sessionToken }, dependencies, "");
  const language = requestLanguage(c.env.incoming);
  await dependencies.entitiesUpstream.alerts.setAlerts({ saleUuid, reasons, language }, options);
  return c.redirect(accountUrl("alerts-saved"), 303);
}

/** Returns the sales about which a person is mailed; undefined where the entities service is of a version without such mails. */
export async function alertsOf(
  { entitiesUpstream }: Pick<AuthDependencies, "entitiesUpstream">,
  options: Awaited<ReturnType<typeof atEntities>>,
): Promise<readonly SaleAlerts[] | undefined> {
  if (entitiesUpstream === undefined) return undefined;
  try {
    return (await entitiesUpstream.alerts.listAlerts({}, options)).alerts;
  } catch (error) {
    if (isRefused(error, Code.Unimplemented)) return undefined;
    throw error;
  }
}
