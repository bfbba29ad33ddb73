import { html } from "hono/html";
import { type Entity, IdentityProvider, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { countryName } from "../../web/pages/country-entry.ts";
import { textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { entityPaths } from "./entity-paths.ts";
import { canBegin, setupText } from "./entity-text.ts";

export interface SetupFormView {
  readonly entity: Entity;
  readonly provider: IdentityProvider;
  /** Returns the hidden fields of a form. @param step what it does */
  readonly fields: (step: string) => Html;
}

/** Returns the form by which a user begins the identity check or goes on with it; nothing where there is nothing to do. */
export function setupForm({ entity, provider, fields }: SetupFormView): Html {
  if (!canBegin(entity.setupState, provider)) return html``;
  const open = html`<form method="post" action="${entityPaths(entity.uuid).entity}">`;
  switch (provider) {
    case IdentityProvider.REVIEW:
      return html`${open}${fields("begin")}${countryField(entity, false)}<button class="primary">Send for review</button></form>`;
    case IdentityProvider.WEBHOOK:
      return html`${open}${fields("begin")}<p class="quiet">You go on at the page of the company that checks identities.</p>
<button class="primary">${entity.setupState === SetupState.IN_PROGRESS ? "Go on" : "Begin"}</button></form>`;
    case IdentityProvider.DEMO:
      return html`<p class="detail">This is a sandbox: nobody is checked, and you choose the result. Live sales don’t accept it.</p>
${open}${fields("choose")}<div class="field"><label for="state">Result</label><select id="state" name="state">${DEMO_STATES.map(option)}</select></div>
${countryField(entity, true)}<button class="primary">Choose this result</button></form>`;
    default:
      return html``;
  }
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

function option(state: SetupState): Html {
  return html`<option value="${state}">${setupText(state).title}</option>`;
}

function countryField({ country }: Entity, isOptional: boolean): Html {
  return textField({
    id: "country",
    name: "country",
    label: "Country",
    hint: html`${isOptional ? "Needed for an approval. " : "Where you live, or where the organization is registered. "}A name such as Germany, or its code, DE.`,
    value: countryName(country),
    isOptional,
    attributes: html`maxlength="60" autocomplete="country-name"`,
  });
}
