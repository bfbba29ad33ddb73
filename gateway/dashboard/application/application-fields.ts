import { fill } from "../../../common/platform/language/message.ts";
import type { FormErrors } from "../base/form-errors.ts";
import { contractErrorField, errorField, type FormTable } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";

export const NEW_APPLICATION_FORM = "new application";
export const APPLICATION_FORM = "application";
export const ADD_URI_FORM = "add redirect uri";
export const REMOVE_URI_FORM = "remove redirect uri";
export const LOGOS_FORM = "logos";
export const STATUS_FORM = "application status";

/** The fields of an application but its scopes. */
export const APPLICATION_TABLE = {
  name: {
    field: "name",
    kind: "exact",
    get label() {
      return texts().application.name;
    },
    get hint() {
      return texts().application.nameHint;
    },
    contract: ["name"],
  },
  /** The redirect URI to add. Among redirect URIs only the last one is new and can be wrong. */
  redirectUri: {
    field: "redirect_uri",
    kind: "trimmed",
    get label() {
      return texts().application.uri;
    },
    contract: ["redirect_uris"],
  },
} as const satisfies FormTable;

/** All scopes with the names of their texts, each with the usual choice for an application of a sale. */
export const SCOPES = [
  {
    scope: "read_entities",
    name: "readEntities",
    usual: "required",
    text: "readEntitiesText",
  },
  {
    scope: "sale_eligibility_check",
    name: "eligibility",
    usual: "required",
    text: "eligibilityText",
  },
  {
    scope: "contact_email",
    name: "contactEmail",
    usual: "off",
    text: "contactEmailText",
  },
] as const;

/** Returns a scope in words; the scope itself for one that this version doesn't know. */
export function scopeName(scope: string): string {
  const found = SCOPES.find((one) => one.scope === scope);
  return found === undefined ? scope : texts().application[found.name];
}

/** Bounds of the contract. */
const MAX_REDIRECT_URIS = 20;

/** Returns the error of a form whose application was changed since the page was shown. */
export function changedMeanwhile(): FormErrors {
  return [{ text: texts().application.changed }];
}

/** Returns errors for entries that are missing, without which an application can't be saved. */
export function nameErrors(name: string): FormErrors {
  return name.trim() === "" ? [{ ...errorField(APPLICATION_TABLE.name), text: texts().application.nameError }] : [];
}

/**
 * Returns errors for a redirect URI that the service would refuse in any case.
 *
 * @param registered number of redirect URIs so far
 */
export function addedUriErrors(uri: string, registered: number): FormErrors {
  const refused = (text: string) => [{ ...errorField(APPLICATION_TABLE.redirectUri), text }];
  if (uri === "") return refused(texts().application.uriError);
  if (registered < MAX_REDIRECT_URIS) return [];
  return refused(fill(texts().application.uriCount, { max: String(MAX_REDIRECT_URIS) }));
}

/** Returns the form's field for a field of `ClientDefinition`. */
export function fieldOfApplication(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  const [, name = ""] = /^(?:definition\.)?(\w+)/.exec(contractField) ?? [];
  if (name === "scopes") return { field: "scope-read_entities-off", label: texts().application.scopes };
  return contractErrorField(APPLICATION_TABLE, name);
}
