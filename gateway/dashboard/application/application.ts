import { html } from "hono/html";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { type Client, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderForm, guardOf } from "../base/dashboard-page.ts";
import { applicationPaths } from "../base/dashboard-paths.ts";
import { enteredVersion } from "../base/entered-version.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { entryKept } from "../base/kept-entry.ts";
import { texts } from "../base/texts.ts";
import { uploadForm } from "../base/upload-form.ts";
import {
  ADD_URI_FORM,
  APPLICATION_FORM,
  addedUriErrors,
  changedMeanwhile,
  fieldOfApplication,
  LOGOS_FORM,
  NEW_APPLICATION_FORM,
  nameErrors,
  REMOVE_URI_FORM,
  SCOPES,
  STATUS_FORM,
} from "./application-fields.ts";
import {
  type ApplicationFormValues,
  applicationFormValues,
  definitionOf,
  type EnteredDefinition,
  enteredRedirectUri,
  formValuesOfApplication,
  formValuesOfText,
  requiresEmailNow,
  sameDefinition,
  textOfFormValues,
} from "./application-form-values.ts";
import { type ApplicationView, applicationPage, newApplicationPage } from "./application-page.ts";
import { applicationOf, type FoundApplication, requireRecentFor } from "./found-application.ts";

/** Returns the message about the change that was just made. */
function doneText(done: string): string | undefined {
  const { added, detailsSaved, urisSaved, logosSaved, disabledNow, enabledNow } = texts().application;
  const messages = {
    added,
    details: detailsSaved,
    uris: urisSaved,
    logos: logosSaved,
    disabled: disabledNow,
    enabled: enabledNow,
  };
  return new Map(Object.entries(messages)).get(done);
}

/** `GET /dashboard/sales/{uuid}/applications/new` */
export async function showNewApplication(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  const usual = { name: "", scopes: new Map(SCOPES.map(({ scope, usual }) => [scope, usual])) };
  const kept = entryKept(newDetailsField(found), c.req.query("entry") ?? "", dependencies.cookies.browserToken(c));
  return showPage(c, newApplicationPage(found, formValuesOfText(kept) ?? usual));
}

/** `POST /dashboard/sales/{uuid}/applications/new` */
export async function createApplication(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, NEW_APPLICATION_FORM);
  const found = await founderSaleOf(c, dependencies);
  const formValues = applicationFormValues(form);
  const { uuid: saleUuid } = found.sale;
  const errors = nameErrors(formValues.name);
  if (errors.length > 0) return showPage(c, newApplicationPage(found, formValues, errors));
  const kept = { field: newDetailsField(found), text: textOfFormValues(formValues) };
  if (requiresEmailNow(formValues)) requireRecentFor(c, dependencies, found, { ...kept, page: c.req.path });
  const request = { saleUuid, definition: definitionOf(formValues, []), peer: peerOf(c, dependencies) };
  const created = await resultOrRefusal(() => dependencies.clients.clients.createClient(request, found.founder.atAuth));
  if ("refusal" in created) return showPage(c, newApplicationPage(found, formValues, errorsOf(created.refusal)));
  return c.redirect(`${applicationPaths(saleUuid, created.done.client?.uuid ?? "").application}?done=added`, 303);
}

/** `GET /dashboard/sales/{uuid}/applications/{uuid}` */
export async function showApplication(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await applicationOf(c, dependencies);
  const view = viewOf(found, dependencies);
  const { cookies } = dependencies;
  const entry = (field: string) => entryKept(field, c.req.query("entry") ?? "", cookies.browserToken(c));
  const redirectUri = entry(uriField(found));
  const formValues = formValuesOfText(entry(detailsField(found))) ?? view.formValues;
  return showPage(c, applicationPage({ ...view, formValues, redirectUri, done: doneText(c.req.query("done") ?? "") }));
}

/** `POST /dashboard/sales/{uuid}/applications/{uuid}`: name and scopes. */
export async function changeApplication(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, APPLICATION_FORM);
  const found = await applicationOf(c, dependencies);
  const formValues = applicationFormValues(form);
  const errors = nameErrors(formValues.name);
  if (errors.length > 0) return showPage(c, applicationPage({ ...viewOf(found, dependencies), formValues, errors }));
  const kept = { field: detailsField(found), text: textOfFormValues(formValues) };
  if (requiresEmailNow(formValues, found.client)) requireRecentFor(c, dependencies, found, kept);
  const definition = definitionOf(formValues, found.client.definition?.redirectUris ?? []);
  return changed(c, dependencies, found, { definition, version: form.text("version"), done: "details", formValues });
}

/** `POST …/redirect-uris/add` */
export async function addRedirectUri(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, ADD_URI_FORM);
  const redirectUri = enteredRedirectUri(form);
  const found = await applicationOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecentFor(c, dependencies, found, { field: uriField(found), text: redirectUri });
  const uris = found.client.definition?.redirectUris ?? [];
  const errors = addedUriErrors(redirectUri, uris.length);
  if (errors.length > 0) return showPage(c, applicationPage({ ...viewOf(found, dependencies), redirectUri, errors }));
  const definition = { ...sameDefinition(found.client), redirectUris: [...uris, redirectUri] };
  return changed(c, dependencies, found, { definition, version: form.text("version"), done: "uris", redirectUri });
}

/** `POST …/redirect-uris/remove` */
export async function removeRedirectUri(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, REMOVE_URI_FORM);
  const removed = form.text("redirect_uri");
  const found = await applicationOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecentFor(c, dependencies, found);
  const uris = (found.client.definition?.redirectUris ?? []).filter((uri) => uri !== removed);
  const definition = { ...sameDefinition(found.client), redirectUris: uris };
  return changed(c, dependencies, found, { definition, version: form.text("version"), done: "uris" });
}

/** `POST …/logos` */
export async function setLogos(c: AuthContext, dependencies: DashboardDependencies) {
  // Checked first, so that the files of strangers aren't even read.
  const found = await applicationOf(c, dependencies);
  const form = await guardedFormOf(c, dependencies, guardOf(c, dependencies, LOGOS_FORM), (context) =>
    uploadForm(context),
  );
  const { uuid: clientUuid } = found.client;
  const logos = [
    { shape: LogoShape.SQUARE, field: "square", label: texts().application.squareLogo },
    { shape: LogoShape.WIDE, field: "wide", label: texts().application.wideLogo },
  ];
  const errors: FormErrors[number][] = [];
  const chosen = logos.filter(({ field }) => form.file(field) !== undefined);
  if (chosen.length === 0) errors.push({ field: "square", text: texts().application.chooseFile });
  for (const { shape, field, label } of chosen) {
    const image = form.file(field) ?? new Uint8Array();
    const request = { clientUuid, shape, image, peer: peerOf(c, dependencies) };
    const set = await resultOrRefusal(() => dependencies.clients.clients.setLogo(request, found.founder.atAuth));
    if ("refusal" in set) errors.push(...refusalErrors(set.refusal, () => ({ field, label })));
  }
  if (errors.length > 0)
    return showPage(c, applicationPage({ ...viewOf(await applicationOf(c, dependencies), dependencies), errors }));
  return backTo(c, found, "logos");
}

/** `POST …/status` */
export async function changeApplicationStatus(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, STATUS_FORM);
  const found = await applicationOf(c, dependencies);
  const request = { clientUuid: found.client.uuid, peer: peerOf(c, dependencies) };
  const disables = form.text("status") === "disabled";
  if (disables) requireRecentFor(c, dependencies, found);
  const { clients } = dependencies.clients;
  const { atAuth } = found.founder;
  const change = disables ? clients.disableClient(request, atAuth) : clients.enableClient(request, atAuth);
  const done = await resultOrRefusal<unknown>(() => change);
  if ("refusal" in done) {
    return showPage(c, applicationPage({ ...viewOf(found, dependencies), errors: errorsOf(done.refusal) }));
  }
  return backTo(c, found, disables ? "disabled" : "enabled");
}

/** Returns the page that users of an application see when it asks for their consent. */
export type ConsentPreview = (
  previewed: {
    readonly client: Client;
    readonly sale: { readonly uuid: string; readonly name: string };
    readonly account: { readonly uuid: string; readonly email: string };
    readonly sessionToken: string;
  },
  language: Language,
) => Page;

/** `GET …/preview`: the consent page as users see it; its buttons do nothing here. */
export async function previewConsent(
  c: AuthContext,
  dependencies: DashboardDependencies,
  consentPreview: ConsentPreview,
) {
  const { client, sale, founder } = await applicationOf(c, dependencies);
  const { account, sessionToken } = founder;
  const named = { uuid: sale.uuid, name: sale.definition?.name ?? "" };
  const page = consentPreview({ client, sale: named, account, sessionToken }, requestLanguage(c.env.incoming));
  const { application } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  return showPage(c, {
    ...page,
    title: fill(words.previewOf, { title: page.title }),
    formTargets: "self",
    notice: html`<div class="notice"><h1>${words.preview}</h1><p>${words.previewText}
<a href="${application}">${words.backToApplication}</a></p></div>${page.notice}`,
    content: html`<div inert>${page.content}</div>`,
  });
}

interface Change {
  readonly definition: EnteredDefinition;
  readonly version: string;
  readonly done: string;
  readonly formValues?: ApplicationFormValues;
  readonly redirectUri?: string;
}

async function changed(c: AuthContext, dependencies: DashboardDependencies, found: FoundApplication, change: Change) {
  const { definition, version, done, formValues, redirectUri = "" } = change;
  const expectedVersion = BigInt(enteredVersion(version));
  const request = { clientUuid: found.client.uuid, definition, expectedVersion, peer: peerOf(c, dependencies) };
  const result = await resultOrRefusal(() => dependencies.clients.clients.updateClient(request, found.founder.atAuth));
  if (!("refusal" in result)) return backTo(c, found, done);
  const errors = result.refusal.code === "aborted" ? changedMeanwhile() : uriErrors(result.refusal, redirectUri);
  return showPage(
    c,
    applicationPage({ ...viewOf(found, dependencies), ...(formValues && { formValues }), redirectUri, errors }),
  );
}

/** The name of an application's field for a redirect URI, for `keptEntry`. */
function uriField({ client }: FoundApplication): string {
  return `redirect_uri/${client.uuid}`;
}

function detailsField({ client }: FoundApplication): string {
  return `details/${client.uuid}`;
}

function newDetailsField({ sale }: FounderSale): string {
  return `new_details/${sale.uuid}`;
}

function viewOf(found: FoundApplication, dependencies: DashboardDependencies): ApplicationView {
  return {
    ...found,
    issuer: dependencies.config.authUrl,
    formValues: formValuesOfApplication(found.client),
    redirectUri: "",
  };
}

/** Adds the right spelling to the errors of a redirect URI that is only spelled wrongly. */
function uriErrors(refusal: ServiceError, uri: string): FormErrors {
  const errors = errorsOf(refusal);
  if (!refusal.violations.some(({ rule }) => rule === "redirect_uri.canonical")) return errors;
  const addition = fill(texts().application.spelling, { uri: URL.parse(uri)?.href ?? "" });
  return errors.map((error) => ({ ...error, addition }));
}

function errorsOf(refusal: ServiceError): FormErrors {
  return refusalErrors(refusal, fieldOfApplication);
}

function backTo(c: AuthContext, { sale, client }: FoundApplication, done: string) {
  return c.redirect(`${applicationPaths(sale.uuid, client.uuid).application}?done=${done}`, 303);
}
