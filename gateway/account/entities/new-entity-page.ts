import { html } from "hono/html";
import { AUTH_PATHS } from "../../web/auth/auth-paths.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import type { Page } from "../../web/pages/layout.ts";
import { NEW_ENTITY_PATH } from "./entity-paths.ts";

export const NEW_ENTITY_FORM = "new entity";

export interface NewEntityView {
  readonly sessionToken: string;
  readonly type: string;
  readonly label: string;
  readonly error?: string;
}

/** Returns the page on which a user adds a person or an organization. */
export function newEntityPage({ sessionToken, type, label, error }: NewEntityView): Page {
  const title = "Who takes part?";
  return {
    title: titleWith(title, error),
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, "label")}
<h1>${title}</h1>
<p>Add yourself once, and each organization that you act for. An identity check comes next.</p>
<form method="post" action="${NEW_ENTITY_PATH}">
${hiddenFields(NEW_ENTITY_FORM, sessionToken)}
<div class="field"><label for="type">Kind</label><select id="type" name="type">
<option value="person">Myself, a person</option><option value="organization"${type === "organization" ? " selected" : ""}>An organization</option></select></div>
${textField({
  id: "label",
  name: "label",
  label: "Name",
  hint: html`You choose it. Applications that you let in see it.`,
  value: label,
  error,
  attributes: html`maxlength="100" autocomplete="off"`,
})}
<div class="actions"><button class="primary">Add</button><a class="button secondary" href="${AUTH_PATHS.account}">Cancel</a></div>
</form>`,
  };
}
