import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import type { Page } from "../../web/pages/layout.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { NEW_ENTITY_PATH } from "./entity-paths.ts";

export const NEW_ENTITY_FORM = "new entity";

export interface NewEntityView {
  readonly sessionToken: string;
  readonly type: string;
  readonly label: string;
  readonly error?: string;
}

/** Returns the page on which a user adds a person or an organization. */
export function newEntityPage({ sessionToken, type, label, error }: NewEntityView, language: Language): Page {
  const texts = TEXTS[language];
  const { newEntity } = texts;
  const { title } = newEntity;
  return {
    title: titleWith(title, error, texts),
    language,
    address: NEW_ENTITY_PATH,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, "label", texts)}
<h1>${title}</h1>
<p>${newEntity.text}</p>
<form method="post" action="${NEW_ENTITY_PATH}">
${hiddenFields(NEW_ENTITY_FORM, sessionToken)}
<div class="field"><label for="type">${newEntity.kind}</label><select id="type" name="type">
<option value="person">${newEntity.myself}</option><option value="organization"${type === "organization" ? " selected" : ""}>${newEntity.organization}</option></select></div>
${textField({
  id: "label",
  name: "label",
  label: newEntity.name,
  hint: html`${newEntity.nameHint}`,
  value: label,
  error,
  attributes: html`maxlength="100" autocomplete="off"`,
})}
<div class="actions"><button class="primary">${newEntity.add}</button><a class="button secondary" href="${AUTH_PATHS.account}">${newEntity.cancel}</a></div>
</form>`,
  };
}
