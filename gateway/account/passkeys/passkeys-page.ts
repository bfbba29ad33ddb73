import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { GetSignInRulesResponse, Passkey } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { ADD_PASSKEY_FORM } from "../../sign-in/offer.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { PASSKEY_SCRIPT, passkeyForm } from "../../web/pages/passkey-form.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { signInRules } from "../recovery/sign-in-rules-section.ts";

export const RENAME_PASSKEY_FORM = "rename passkey";
export const REMOVE_PASSKEY_FORM = "remove passkey";

/** Changes that the page confirms, as its address names them. */
export const PASSKEY_CHANGES = ["added", "renamed", "removed"] as const;
export type PasskeyChange = (typeof PASSKEY_CHANGES)[number];

export interface PasskeysView {
  readonly sessionToken: string;
  readonly passkeys: readonly Passkey[];
  readonly maxPasskeys: number;
  readonly done?: PasskeyChange;
  readonly error?: string;
  readonly entered?: EnteredName;
}

/** A name that was entered in a form that was refused. */
interface EnteredName {
  /** The passkey that was to get it; absent for a new one. */
  readonly passkeyUuid?: string;
  readonly name: string;
  /** Whether it is what the error is about. */
  readonly isRefused: boolean;
}

/** Returns the page on which users add, rename and remove passkeys. */
export function passkeysPage(view: PasskeysView, language: Language): Page {
  const { passkeys: own, done, error, entered, maxPasskeys } = view;
  const texts = TEXTS[language];
  const { passkeys, account } = texts;
  const item = (passkey: Passkey) => passkeyItem(passkey, view, language);
  return {
    title: titleWith(passkeys.title, error, texts),
    language,
    address: AUTH_PATHS.passkeys,
    isWide: true,
    status: error === undefined ? 200 : 422,
    script: PASSKEY_SCRIPT,
    content: html`${errorSummary(error, entered?.isRefused ? nameFieldId(entered.passkeyUuid) : undefined, texts)}
${done && html`<p class="done-line" role="status">${passkeys[done]}</p>`}
<h1>${passkeys.title}</h1>
<p>${passkeys.text}</p>
${own.length > 0 && html`<ul class="rows">${own.map(item)}</ul>`}
<section aria-labelledby="add"><h2 id="add">${passkeys.addTitle}</h2>
${own.length < maxPasskeys ? addForm(view, texts) : html`<p class="quiet">${texts.passkeyProblem.tooMany}</p>`}</section>
<p class="aside"><a href="${AUTH_PATHS.account}">${account.back}</a></p>`,
  };
}

/** @param passkeyUuid absent for a new passkey */
function nameFieldId(passkeyUuid?: string): string {
  return passkeyUuid === undefined ? "name" : `name-${passkeyUuid}`;
}

function addForm({ sessionToken, error, entered }: PasskeysView, texts: Texts): Html {
  const { passkeys } = texts;
  const { name = "", isRefused = false } = entered?.passkeyUuid === undefined ? (entered ?? {}) : {};
  const form = passkeyForm(
    {
      kind: "add",
      action: AUTH_PATHS.passkeys,
      question: AUTH_PATHS.passkeyQuestion,
      fields: html`${hiddenFields(ADD_PASSKEY_FORM, sessionToken)}
${textField({
  id: nameFieldId(),
  name: "name",
  label: passkeys.name,
  hint: html`${passkeys.nameHint}`,
  value: name,
  error: isRefused ? error : undefined,
  isOptional: true,
  attributes: html`maxlength="64" autocomplete="off"`,
})}`,
      button: passkeys.add,
    },
    texts,
  );
  return html`${form}
<p class="without-script quiet">${passkeys.needsScript}</p>`;
}

function passkeyItem({ uuid, name, ...passkey }: Passkey, view: PasskeysView, language: Language): Html {
  const { sessionToken, error } = view;
  const texts = TEXTS[language];
  const { passkeys } = texts;
  const fieldId = nameFieldId(uuid);
  const entered = view.entered?.passkeyUuid === uuid ? view.entered : undefined;
  const isRefused = entered?.isRefused ?? false;
  return html`<li class="row passkey"><div class="grow"><p><strong><bdi>${name}</bdi></strong> <span class="tag">${passkey.backedUp ? passkeys.synced : passkeys.thisDevice}</span></p>
<p class="quiet">${times(passkey, language)}</p>
<details${entered && " open"}><summary>${passkeys.rename}</summary>
<form class="entry" method="post" action="${AUTH_PATHS.renamePasskey}">${hiddenFields(RENAME_PASSKEY_FORM, sessionToken, { passkey: uuid })}
<label for="${fieldId}">${passkeys.newName}</label>
${isRefused && html`<p class="field-error" id="${fieldId}-error">${error}</p>`}
<input id="${fieldId}" name="name" value="${entered?.name ?? name}"${isRefused && html` aria-invalid="true" aria-describedby="${fieldId}-error"`} required maxlength="64" autocomplete="off">
<button class="secondary small">${passkeys.saveName}</button></form></details></div>
<form method="post" action="${AUTH_PATHS.removePasskey}">${hiddenFields(REMOVE_PASSKEY_FORM, sessionToken, { passkey: uuid })}<button class="danger small" aria-label="${fill(passkeys.removeOf, { name })}">${passkeys.remove}</button></form></li>`;
}

/** Returns the line about the use of a passkey. */
export function times({ createdAt, lastUsedAt }: Pick<Passkey, "createdAt" | "lastUsedAt">, language: Language): Html {
  const { passkeys } = TEXTS[language];
  const added = utcTime(createdAt, language);
  if (lastUsedAt === undefined) return fillHtml(passkeys.unused, { added });
  return fillHtml(passkeys.used, { added, used: utcTime(lastUsedAt, language) });
}

interface SignInFacts {
  readonly rules: GetSignInRulesResponse | undefined;
  /** Whether the user has signed in to this browser with a passkey. */
  readonly isByPasskey: boolean;
}

/** Returns the part of the account page that lists the passkeys, and leads to where they are changed. */
export function passkeysSection(
  own: readonly Passkey[],
  { rules, isByPasskey }: SignInFacts,
  language: Language,
): Html {
  const { passkeys } = TEXTS[language];
  const item = (
    passkey: Passkey,
  ) => html`<li class="row"><div class="grow"><p><strong><bdi>${passkey.name}</bdi></strong></p>
<p class="quiet">${times(passkey, language)}</p></div></li>`;
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">${passkeys.title}</h2>
<div class="row"><p class="grow quiet">${passkeys.text}</p><a class="button secondary small" href="${AUTH_PATHS.passkeys}">${own.length === 0 ? passkeys.addFirst : passkeys.manage}</a></div>
${own.length > 0 && html`<ul class="rows">${own.map(item)}</ul>`}
${rules && signInRules(rules, isByPasskey, language)}</section>`;
}
