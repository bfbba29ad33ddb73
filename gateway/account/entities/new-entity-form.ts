import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { IdentityProvider } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { Refusal } from "../../web/sessions/sealed-refusal.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { SendingApplication } from "../base/sending-application.ts";
import { NEW_ENTITY_PATH } from "./entity-paths.ts";
import { setupStart } from "./setup-form.ts";

export const NEW_ENTITY_FORM = "new entity";

export interface NewEntityForm {
  readonly sessionToken: string;
  readonly provider: IdentityProvider;
  /** The application that the user came from. */
  readonly application: SendingApplication | undefined;
  /** Entries of the form where it was refused, by field. */
  readonly entered?: Refusal["values"];
  readonly error?: NewEntityMistake | undefined;
}

export interface NewEntityMistake {
  /** ID of the field. */
  readonly field: "label" | "country";
  readonly text: string;
}

/**
 * Returns the form by which a user adds a person or an organization and, unless a vendor does it, begins the identity check.
 *
 * @param leave link beside the button
 */
export function newEntityForm(view: NewEntityForm, language: Language, leave?: Html): Html {
  const { sessionToken, provider, entered = {}, error } = view;
  const { type, label = "", country = "", state } = entered;
  const { newEntity } = TEXTS[language];
  const { nameHint, optionalNameHint, ownName } = newEntity;
  const isNameNeeded = needsName(provider);
  const errorOf = (field: NewEntityMistake["field"]) => (error?.field === field ? error.text : undefined);
  const check = setupStart(view, { country, error: errorOf("country"), state }, language);
  const who = html`<div class="field"><label for="type">${newEntity.kind}</label><select id="type" name="type">
<option value="person">${newEntity.myself}</option><option value="organization"${type === "organization" ? " selected" : ""}>${newEntity.organization}</option></select></div>
${textField({
  id: "label",
  name: "label",
  label: newEntity.name,
  hint: html`${isNameNeeded ? nameHint : fill(optionalNameHint, { name: ownName })}`,
  value: label,
  error: errorOf("label"),
  isOptional: !isNameNeeded,
  attributes: html`maxlength="100" autocomplete="off"`,
})}`;
  // On a page of its own this is rarely the first one, so mostly an organization.
  const isFolded = leave === undefined && !isNameNeeded;
  return html`<form method="post" action="${NEW_ENTITY_PATH}">
${hiddenFields(NEW_ENTITY_FORM, sessionToken)}
${!isFolded && who}
${check?.fields}
${isFolded && html`<details><summary>${newEntity.another}</summary>${who}</details>`}
<div class="actions"><button class="primary">${check?.button ?? newEntity.add}</button>${leave}</div>
</form>`;
}

/** Whether a person needs a name, too: only where people check, who know an entity by it. */
export function needsName(provider: IdentityProvider): boolean {
  return provider === IdentityProvider.REVIEW;
}
