import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { showPage } from "../../web/pages/layout.ts";
import { pageForm } from "../../web/pages/page-form.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { guardOf } from "../base/dashboard-page.ts";
import { applicationPaths } from "../base/dashboard-paths.ts";
import { enteredVersion } from "../base/entered-version.ts";
import { refusalErrors } from "../base/form-errors.ts";
import { formValues } from "../base/form-table.ts";
import { requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { entryKept } from "../base/kept-entry.ts";
import { texts } from "../base/texts.ts";
import { changedMeanwhile } from "./application-fields.ts";
import { sameDefinition } from "./application-form-values.ts";
import { applicationOf, type FoundApplication, requireRecentFor } from "./found-application.ts";
import {
  fieldOfSecurity,
  needsOwner,
  SECURITY_TABLE,
  type SecurityFormValues,
  securityFormValues,
  securityOf,
  securityOfText,
  textOfSecurity,
  withoutSecrets,
} from "./security-form-values.ts";
import { SECURITY_FORM, type SecurityView, securityPage } from "./security-page.ts";

/** Bound of the form: 32 KiB of keys and 20 URIs, percent-encoded. */
const MAX_FORM_BYTES = 128 * 1024;

/** Returns the message about the change that was just made. */
function doneText(done: string): string | undefined {
  const { saved, weaker } = texts().security;
  return new Map(Object.entries({ saved, weaker })).get(done);
}

/** `GET …/security` */
export async function showSecurity(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await applicationOf(c, dependencies);
  const kept = entryKept(fieldOf(found), c.req.query("entry") ?? "", dependencies.cookies.browserToken(c));
  const view = storedView(found);
  const done = doneText(c.req.query("done") ?? "");
  return showPage(c, securityPage({ ...view, formValues: securityOfText(kept) ?? view.formValues, done }));
}

/** `POST …/security` */
export async function changeSecurity(c: AuthContext, dependencies: DashboardDependencies) {
  const guard = guardOf(c, dependencies, SECURITY_FORM);
  const form = await guardedFormOf(c, dependencies, guard, (context) => pageForm(context, MAX_FORM_BYTES));
  const found = await applicationOf(c, dependencies);
  const values = formValues(SECURITY_TABLE, form);
  const isDelicate = needsOwner(securityFormValues(found.client), values);
  await requireRoleFor(found, isDelicate ? Role.OWNER : Role.EDITOR, dependencies);
  const { security: page } = applicationPaths(found.sale.uuid, found.client.uuid);
  if (isDelicate) {
    requireRecentFor(c, dependencies, found, { field: fieldOf(found), text: textOfSecurity(values), page });
  }
  const version = enteredVersion(form.text("version"));
  const request = { ...requestOf(found, values), expectedVersion: BigInt(version), peer: peerOf(c, dependencies) };
  const changed = await resultOrRefusal(() => dependencies.clients.clients.updateClient(request, found.founder.atAuth));
  if (!("refusal" in changed)) return c.redirect(`${page}?done=${isDelicate ? "weaker" : "saved"}`, 303);
  const { refusal } = changed;
  if (refusal.code === "aborted")
    return showPage(c, securityPage({ ...storedView(found), errors: changedMeanwhile() }));
  return showPage(
    c,
    securityPage({
      found,
      formValues: withoutSecrets(values),
      version,
      errors: refusalErrors(refusal, fieldOfSecurity),
    }),
  );
}

function requestOf({ client }: FoundApplication, values: SecurityFormValues) {
  const redirectUris = [...(client.definition?.redirectUris ?? [])];
  const definition = { ...sameDefinition(client), redirectUris, security: securityOf(values) };
  return { clientUuid: client.uuid, definition };
}

function storedView(found: FoundApplication): SecurityView {
  return { found, formValues: securityFormValues(found.client), version: String(found.client.version) };
}

/** The name of the form of an application, for `keptEntry`. */
function fieldOf({ client }: FoundApplication): string {
  return `security/${client.uuid}`;
}
