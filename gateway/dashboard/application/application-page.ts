import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { type Client, ClientStatus } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { copyable, copyableBlock, dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";
import { fileField } from "../base/file-field.ts";
import { errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { pageText } from "../base/form-table.ts";
import type { Founder, FounderSale } from "../base/founder.ts";
import { obstaclesText } from "../base/obstacles-text.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import {
  ADD_URI_FORM,
  APPLICATION_FORM,
  APPLICATION_TABLE,
  LOGOS_FORM,
  NEW_APPLICATION_FORM,
  REMOVE_URI_FORM,
  SCOPES,
  STATUS_FORM,
  scopeName,
} from "./application-fields.ts";
import type { ApplicationFormValues } from "./application-form-values.ts";
import { signInSnippet, verifierSnippet } from "./application-snippet.ts";

export interface ApplicationView extends FounderSale {
  readonly client: Client;
  readonly formValues: ApplicationFormValues;
  /** The redirect URI to add, as entered. */
  readonly redirectUri: string;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** `aud` of access tokens. */
  readonly audience: string;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

const EXAMPLE_URI = "http://localhost:3000/oauth/callback";

/** Returns the page that asks for a new application's name and scopes. */
export function newApplicationPage(
  { sale, founder }: FounderSale,
  formValues: ApplicationFormValues,
  errors: FormErrors = [],
) {
  const words = texts().application;
  return dashboardPage({
    title: words.newTitle,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${words.newTitle}</h1></div>
<section class="panel" aria-label="${words.panel}"><form method="post" action="${salePaths(sale.uuid).newApplication}" novalidate>
${hiddenFields(NEW_APPLICATION_FORM, founder.sessionToken)}${detailFields(formValues, errors)}
<div class="panel-foot"><button class="primary fit">${words.addApplication}</button></div></form></section>`,
  });
}

/** Returns the page of an application. */
export function applicationPage(view: ApplicationView) {
  const { sale, client, errors = [], done } = view;
  const name = client.definition?.name ?? "";
  const { preview } = applicationPaths(sale.uuid, client.uuid);
  return dashboardPage({
    title: name,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}
<div class="page-head"><div><h1><bdi>${name}</bdi></h1><p class="quiet">${statusText(client)}</p></div>
<a class="button secondary" href="${preview}">${texts().application.seeConsent}</a></div>
<div class="panels two"><div class="column">${urisPanel(view)}${logosPanel(view)}${detailsPanel(view)}</div>
<div class="column">${usePanel(view)}${securityPanel(view)}</div></div>`,
  });
}

function statusText({ obstacles }: Client): Html | string {
  const { ready, notReady } = texts().application;
  return obstacles.length === 0 ? ready : fillHtml(notReady, { reasons: obstaclesText(obstacles) });
}

function urisPanel(view: ApplicationView): Html {
  const { client, role, founder } = view;
  const uris = client.definition?.redirectUris ?? [];
  const words = texts().application;
  return html`<section class="panel" aria-labelledby="redirect-uris"><h2 id="redirect-uris">${words.uris}</h2>
<p class="quiet">${client.testTenancy ? words.urisTest : words.urisLive}</p>
${uris.length > 0 && html`<ul class="list">${uris.map((uri) => uriItem(uri, view))}</ul>`}
${role === Role.OWNER ? addUriForm(view) : html`<p class="quiet">${words.onlyOwners}</p>`}
${role === Role.OWNER && signInHint(founder)}</section>`;
}

function signInHint({ isRecent }: Founder): Html {
  if (isRecent) return html``;
  return html`<p class="hint">${texts().application.willSignIn}</p>`;
}

function uriItem(uri: string, { sale, client, role, founder }: ApplicationView): Html {
  const { removeRedirectUri } = applicationPaths(sale.uuid, client.uuid);
  const fields = hiddenFields(REMOVE_URI_FORM, founder.sessionToken, {
    redirect_uri: uri,
    version: String(client.version),
  });
  return html`<li><code class="grow" dir="ltr">${uri}</code>${
    role === Role.OWNER
      ? html`<form method="post" action="${removeRedirectUri}">${fields}<button class="danger small" aria-label="${fill(texts().application.removeOf, { uri })}">${texts().application.remove}</button></form>`
      : ""
  }</li>`;
}

function addUriForm({ sale, client, founder, redirectUri, errors = [] }: ApplicationView): Html {
  const { addRedirectUri } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  return html`<form method="post" action="${addRedirectUri}" novalidate>
${hiddenFields(ADD_URI_FORM, founder.sessionToken, { version: String(client.version) })}
${textField({
  ...pageText(APPLICATION_TABLE.redirectUri, redirectUri, errors),
  label: words.anotherUri,
  hint: fillHtml(words.suchAs, {
    example: html`<code dir="ltr">${client.testTenancy ? EXAMPLE_URI : "https://sale.example/oauth/callback"}</code>`,
  }),
  attributes: html`inputmode="url" maxlength="1024" autocapitalize="none" autocomplete="off" spellcheck="false"`,
})}
<button class="secondary">${words.add}</button></form>`;
}

function logosPanel({ sale, client, founder, role, errors = [] }: ApplicationView): Html {
  const { logos } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  return html`<section class="panel" aria-labelledby="logos"><h2 id="logos">${words.logos}</h2>
<div class="logos">${logoFigure("square", client.squareLogo)}${logoFigure("wide", client.wideLogo)}</div>
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${logos}" enctype="multipart/form-data">${hiddenFields(LOGOS_FORM, founder.sessionToken)}
<p class="hint">${words.logosHint}</p>
${fileField("square", words.squareLogo, words.squareHint, errors)}
${fileField("wide", words.wideLogo, words.wideHint, errors)}
<button class="secondary">${words.upload}</button></form>`
    : ""
}</section>`;
}

function logoFigure(shape: "square" | "wide", hash: string): Html {
  const words = texts().application;
  const alternative = shape === "square" ? words.squareAlt : words.wideAlt;
  const image = hash === "" ? words.noLogo : html`<img src="${LOGOS_PREFIX}${hash}" alt="${alternative}">`;
  return html`<figure><div class="logo-frame ${shape}">${image}</div><figcaption>${words[shape]}</figcaption></figure>`;
}

function detailsPanel({ sale, client, founder, role, formValues, errors = [] }: ApplicationView): Html {
  const { application } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  const fields = hiddenFields(APPLICATION_FORM, founder.sessionToken, { version: String(client.version) });
  return html`<section class="panel" aria-labelledby="details"><h2 id="details">${words.details}</h2>
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${application}" novalidate>${fields}${detailFields(formValues, errors)}
<div class="panel-foot"><button class="secondary">${words.save}</button></div></form>`
    : html`<ul class="list">${client.definition?.scopes.map(({ scope, required }) => html`<li><span class="grow">${scopeName(scope)} <code>${scope}</code></span> ${required ? words.required : words.optional}</li>`)}</ul>`
}</section>`;
}

function detailFields({ name, scopes }: ApplicationFormValues, errors: FormErrors): Html {
  return html`${textField({
    ...pageText(APPLICATION_TABLE.name, name, errors),
    attributes: html`maxlength="100" autocomplete="off"`,
  })}
${SCOPES.map((each) => scopeField(each, scopes.get(each.scope) ?? "off"))}`;
}

function scopeField({ scope, name, text }: (typeof SCOPES)[number], chosen: string): Html {
  const words = texts().application;
  const choices = [
    ["off", words.offChoice],
    ["optional", words.optionalChoice],
    ["required", words.requiredChoice],
  ] as const;
  const current = chosen === "optional" || chosen === "required" ? chosen : "off";
  return html`<fieldset class="scope-choice"><legend>${words[name]} <code dir="ltr">${scope}</code></legend><p class="hint">${words[text]}</p><div class="choices">${choices.map(
    ([value, label]) =>
      html`<div class="choice"><input type="radio" id="scope-${scope}-${value}" name="scope_${scope}" value="${value}"${
        value === current ? " checked" : ""
      }><label for="scope-${scope}-${value}">${label}</label></div>`,
  )}</div></fieldset>`;
}

function securityPanel({ sale, client }: ApplicationView): Html {
  const { security } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  return html`<section class="panel" aria-labelledby="security"><h2 id="security">${words.security}</h2>
<p class="quiet">${words.securityText}</p>
<a class="button secondary" href="${security}">${words.securityLink}</a></section>`;
}

function usePanel({ client, issuer, audience, role, founder, sale }: ApplicationView): Html {
  const { redirectUris: [redirectUri = EXAMPLE_URI] = [], security } = client.definition ?? {};
  const tenancy = client.testTenancy ? "test" : "live";
  const isActive = client.status === ClientStatus.ACTIVE;
  const { status } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().application;
  const fields = hiddenFields(STATUS_FORM, founder.sessionToken, { status: isActive ? "disabled" : "active" });
  return html`<section class="panel" aria-labelledby="use"><h2 id="use">${words.forDevelopers}</h2>
${copyable("client_id", client.uuid)}${copyable(words.saleId, sale.uuid)}${copyable(words.server, issuer)}
${copyableBlock(words.signInSnippet, signInSnippet({ issuer, clientId: client.uuid, redirectUri, ...(security && { security }) }))}
${copyableBlock(words.verifySnippet, verifierSnippet({ issuer, audience, clientId: client.uuid, tenancy, bindsTokens: security?.dpopBoundAccessTokens ?? false }))}
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${status}">${fields}<div class="panel-foot"><button class="${isActive ? "danger" : "secondary"} small">${isActive ? words.disable : words.enable}</button></div>${isActive && signInHint(founder)}</form>`
    : ""
}</section>`;
}
