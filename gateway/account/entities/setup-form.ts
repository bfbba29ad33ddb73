import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import { type Entity, IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { FormTargets } from "../../web/pages/page-headers.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { type SendingApplication, targetsBackTo } from "../base/sending-application.ts";
import { entityPaths } from "./entity-paths.ts";
import { canBegin, setupText } from "./entity-text.ts";

export interface SetupFormView {
  readonly entity: Entity;
  readonly provider: IdentityProvider;
  /** The application that the user came from. */
  readonly application: SendingApplication | undefined;
  /** Entries of the form where it was refused, by field. */
  readonly entered: Readonly<Record<string, string>>;
  /** Returns the hidden fields of a form. @param step what it does */
  readonly fields: (step: string) => Html;
}

/** Returns the form by which a user begins the identity check or goes on with it; nothing where there is nothing to do. */
export function setupForm({ entity, provider, application, entered, fields }: SetupFormView, language: Language): Html {
  const texts = TEXTS[language];
  const { setup } = texts;
  if (!canBegin(entity.setupState, provider)) return html``;
  const country = entered["country"] ?? countryName(entity.country, language);
  const open = html`<form method="post" action="${entityPaths(entity.uuid).entity}">`;
  switch (provider) {
    case IdentityProvider.REVIEW:
      if (entity.openQuestion !== "") {
        return html`${open}${fields("begin")}${answerField(entered["answer"] ?? "", texts)}${countryField({ country }, language)}<button class="primary">${setup.answer}</button></form>`;
      }
      return html`${open}${fields("begin")}${countryField({ country }, language)}<button class="primary">${setup.send}</button></form>`;
    case IdentityProvider.WEBHOOK:
      return html`${open}${fields("begin")}<p class="quiet">${setup.atVendor}</p>
<button class="primary">${entity.setupState === SetupState.IN_PROGRESS ? setup.goOn : setup.begin}</button></form>`;
    case IdentityProvider.DEMO:
      return html`${sandboxText(application, texts)}
${open}${fields("choose")}${demoFields(entered["state"], { country }, language)}<button class="primary">${setup.choose}</button></form>`;
    default:
      return html``;
  }
}

/** The part of the form of a new entity by which its identity check begins at once. */
export interface SetupStart {
  readonly fields: Html;
  /** Text of the form's button. */
  readonly button: string;
}

/** Returns the fields of a new entity's check, where it needs more than a click at another page; undefined for a vendor's. */
export function setupStart(
  { provider, application }: Pick<SetupFormView, "provider" | "application">,
  { state, ...country }: CountryEntry & { readonly state: string | undefined },
  language: Language,
): SetupStart | undefined {
  const texts = TEXTS[language];
  const { setup, newEntity } = texts;
  switch (provider) {
    case IdentityProvider.REVIEW:
      return { fields: countryField(country, language), button: setup.send };
    case IdentityProvider.DEMO: {
      const fields = html`${sandboxText(application, texts)}${demoFields(state, country, language)}`;
      return { fields, button: newEntity.add };
    }
    default:
      return undefined;
  }
}

interface CountryEntry {
  readonly country: string;
  /** The mistake in it. */
  readonly error?: string | undefined;
}

/** Says that nobody is checked, and that an approval leads back to the application that the user came from. */
function sandboxText(application: SendingApplication | undefined, { setup }: Texts): Html {
  const back = application && fillHtml(setup.backOnceApproved, { application: html`<bdi>${application.name}</bdi>` });
  return html`<p class="detail">${setup.sandbox} ${back}</p>`;
}

/** Returns the targets of a page's forms, after one of which the application's page comes where nobody is checked. */
export function setupTargets({ provider, application }: Pick<SetupFormView, "provider" | "application">): FormTargets {
  return provider === IdentityProvider.DEMO && application !== undefined ? targetsBackTo(application) : "self";
}

function demoFields(chosen: string | undefined, country: CountryEntry, language: Language): Html {
  const texts = TEXTS[language];
  return html`<div class="field"><label for="state">${texts.setup.result}</label><select id="state" name="state">${DEMO_STATES.map((state) => option(state, chosen, texts))}</select></div>
${countryField(country, language, true)}`;
}

function answerField(answer: string, { setup }: Texts): Html {
  return html`<div class="field"><label for="answer">${setup.answerLabel}</label><textarea id="answer" name="answer" rows="5" maxlength="2000" required>${answer}</textarea></div>`;
}

/** States that a user of the demo can choose. */
export const DEMO_STATES: readonly SetupState[] = [
  SetupState.COMPLETE,
  SetupState.IN_PROGRESS,
  SetupState.READY_FOR_REVIEW,
  SetupState.IN_REVIEW,
  SetupState.FAILURE,
  SetupState.FAILURE_FINAL,
  SetupState.TECHNICAL_ISSUE,
];

function option(state: SetupState, chosen: string | undefined, texts: Texts): Html {
  return html`<option value="${state}"${chosen === String(state) && " selected"}>${setupText(state, texts).title}</option>`;
}

function countryField({ country, error }: CountryEntry, language: Language, isOptional = false): Html {
  const { setup } = TEXTS[language];
  return textField({
    id: "country",
    name: "country",
    label: setup.country,
    hint: html`${isOptional ? setup.countryForApproval : setup.countryHint}`,
    value: country,
    error,
    isOptional,
    attributes: html`maxlength="60" autocomplete="country-name"`,
  });
}
