import { html } from "hono/html";
import { type Client, ClientStatus } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { copyable, copyableBlock, dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";
import { fileField } from "../base/file-field.ts";
import { errorSummaryOf, type FormErrors, sentence } from "../base/form-errors.ts";
import { pageText } from "../base/form-table.ts";
import type { Founder, FounderSale } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
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
  return dashboardPage({
    title: "New application",
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>New application</h1></div>
<section class="panel" aria-label="Application"><form method="post" action="${salePaths(sale.uuid).newApplication}" novalidate>
${hiddenFields(NEW_APPLICATION_FORM, founder.sessionToken)}${detailFields(formValues, errors)}
<div class="panel-foot"><button class="primary fit">Add the application</button></div></form></section>`,
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
<a class="button secondary" href="${preview}">See the consent page</a></div>
<div class="panels two"><div class="column">${urisPanel(view)}${logosPanel(view)}${detailsPanel(view)}</div>
<div class="column">${usePanel(view)}${securityPanel(view)}</div></div>`,
  });
}

function statusText({ obstacles }: Client): string {
  return obstacles.length === 0 ? "Ready to sign users in." : sentence(`not ready: it ${obstacles.join(", ")}`);
}

function urisPanel(view: ApplicationView): Html {
  const { client, role, founder } = view;
  const uris = client.definition?.redirectUris ?? [];
  const loopback = client.testTenancy
    ? "In a test sale, http://localhost is allowed too, for development."
    : "In a live sale, localhost and similar addresses are not allowed: a program on the user’s computer could take the code.";
  return html`<section class="panel" aria-labelledby="redirect-uris"><h2 id="redirect-uris">Redirect URIs</h2>
<p class="quiet">The only places that users are sent to after they signed in, compared character by character. ${loopback}</p>
${uris.length > 0 && html`<ul class="list">${uris.map((uri) => uriItem(uri, view))}</ul>`}
${role === Role.OWNER ? addUriForm(view) : html`<p class="quiet">Only owners can change them.</p>`}
${role === Role.OWNER && signInHint(founder)}</section>`;
}

function signInHint({ isRecent }: Founder): Html {
  if (isRecent) return html``;
  return html`<p class="hint">You will be asked to sign in again: your last sign-in was more than ten minutes ago.</p>`;
}

function uriItem(uri: string, { sale, client, role, founder }: ApplicationView): Html {
  const { removeRedirectUri } = applicationPaths(sale.uuid, client.uuid);
  const fields = hiddenFields(REMOVE_URI_FORM, founder.sessionToken, {
    redirect_uri: uri,
    version: String(client.version),
  });
  return html`<li><code class="grow">${uri}</code>${
    role === Role.OWNER
      ? html`<form method="post" action="${removeRedirectUri}">${fields}<button class="danger small" aria-label="Remove ${uri}">Remove</button></form>`
      : ""
  }</li>`;
}

function addUriForm({ sale, client, founder, redirectUri, errors = [] }: ApplicationView): Html {
  const { addRedirectUri } = applicationPaths(sale.uuid, client.uuid);
  return html`<form method="post" action="${addRedirectUri}" novalidate>
${hiddenFields(ADD_URI_FORM, founder.sessionToken, { version: String(client.version) })}
${textField({
  ...pageText(APPLICATION_TABLE.redirectUri, redirectUri, errors),
  label: "Another redirect URI",
  hint: html`Such as <code>${client.testTenancy ? EXAMPLE_URI : "https://sale.example/oauth/callback"}</code>`,
  attributes: html`inputmode="url" maxlength="1024" autocapitalize="none" autocomplete="off" spellcheck="false"`,
})}
<button class="secondary">Add</button></form>`;
}

function logosPanel({ sale, client, founder, role, errors = [] }: ApplicationView): Html {
  const { logos } = applicationPaths(sale.uuid, client.uuid);
  return html`<section class="panel" aria-labelledby="logos"><h2 id="logos">Logos</h2>
<div class="logos">${logoFigure("square", client.squareLogo)}${logoFigure("wide", client.wideLogo)}</div>
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${logos}" enctype="multipart/form-data">${hiddenFields(LOGOS_FORM, founder.sessionToken)}
<p class="hint">PNG, JPEG or WebP, at most 200 KB and 2,048 pixels a side. They are shown on white.</p>
${fileField("square", "Square logo", "As wide as high.", errors)}
${fileField("wide", "Wide logo", "Two to six times as wide as high.", errors)}
<button class="secondary">Upload</button></form>`
    : ""
}</section>`;
}

function logoFigure(shape: "square" | "wide", hash: string): Html {
  const image = hash === "" ? "None yet" : html`<img src="${LOGOS_PREFIX}${hash}" alt="The ${shape} logo">`;
  return html`<figure><div class="logo-frame ${shape}">${image}</div><figcaption>${shape === "square" ? "Square" : "Wide"}</figcaption></figure>`;
}

function detailsPanel({ sale, client, founder, role, formValues, errors = [] }: ApplicationView): Html {
  const { application } = applicationPaths(sale.uuid, client.uuid);
  const fields = hiddenFields(APPLICATION_FORM, founder.sessionToken, { version: String(client.version) });
  return html`<section class="panel" aria-labelledby="details"><h2 id="details">Name and scopes</h2>
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${application}" novalidate>${fields}${detailFields(formValues, errors)}
<div class="panel-foot"><button class="secondary">Save</button></div></form>`
    : html`<ul class="list">${client.definition?.scopes.map(({ scope, required }) => html`<li><span class="grow">${scopeName(scope)} <code>${scope}</code></span> ${required ? "required" : "optional"}</li>`)}</ul>`
}</section>`;
}

function detailFields({ name, scopes }: ApplicationFormValues, errors: FormErrors): Html {
  return html`${textField({
    ...pageText(APPLICATION_TABLE.name, name, errors),
    attributes: html`maxlength="100" autocomplete="off"`,
  })}
${SCOPES.map(({ scope, name: words, text }) => scopeField({ scope, words, text }, scopes.get(scope) ?? "off"))}`;
}

interface ScopeWords {
  readonly scope: string;
  readonly words: string;
  readonly text: string;
}

function scopeField({ scope, words, text }: ScopeWords, chosen: string): Html {
  const choices = [
    ["off", "Off"],
    ["optional", "Optional"],
    ["required", "Required"],
  ] as const;
  const current = chosen === "optional" || chosen === "required" ? chosen : "off";
  return html`<fieldset class="scope-choice"><legend>${words} <code>${scope}</code></legend><p class="hint">${text}</p><div class="choices">${choices.map(
    ([value, label]) =>
      html`<div class="choice"><input type="radio" id="scope-${scope}-${value}" name="scope_${scope}" value="${value}"${
        value === current ? " checked" : ""
      }><label for="scope-${scope}-${value}">${label}</label></div>`,
  )}</div></fieldset>`;
}

function securityPanel({ sale, client }: ApplicationView): Html {
  const { security } = applicationPaths(sale.uuid, client.uuid);
  return html`<section class="panel" aria-labelledby="security"><h2 id="security">Security</h2>
<p class="quiet">What the application must do to get tokens, its own keys, and where users go after a sign-out.</p>
<a class="button secondary" href="${security}">Security settings</a></section>`;
}

function usePanel({ client, issuer, audience, role, founder, sale }: ApplicationView): Html {
  const { redirectUris: [redirectUri = EXAMPLE_URI] = [], security } = client.definition ?? {};
  const tenancy = client.testTenancy ? "test" : "live";
  const isActive = client.status === ClientStatus.ACTIVE;
  const { status } = applicationPaths(sale.uuid, client.uuid);
  const fields = hiddenFields(STATUS_FORM, founder.sessionToken, { status: isActive ? "disabled" : "active" });
  return html`<section class="panel" aria-labelledby="use"><h2 id="use">For your developers</h2>
${copyable("client_id", client.uuid)}${copyable("Sale ID", sale.uuid)}${copyable("Server", issuer)}
${copyableBlock("Sign a user in (Node, openid-client)", signInSnippet({ issuer, clientId: client.uuid, redirectUri, ...(security && { security }) }))}
${copyableBlock("Check access tokens (Node, jose)", verifierSnippet({ issuer, audience, clientId: client.uuid, tenancy, bindsTokens: security?.dpopBoundAccessTokens ?? false }))}
${
  role >= Role.EDITOR
    ? html`<form method="post" action="${status}">${fields}<div class="panel-foot"><button class="${isActive ? "danger" : "secondary"} small">${isActive ? "Disable the application" : "Enable the application"}</button></div>${isActive && signInHint(founder)}</form>`
    : ""
}</section>`;
}
