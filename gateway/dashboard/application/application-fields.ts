import type { FormErrors } from "../base/form-errors.ts";
import { contractErrorField, errorField, type FormTable } from "../base/form-table.ts";

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
    label: "Name",
    hint: "Users see it when they sign in.",
    contract: ["name"],
  },
  /** The redirect URI to add. Among redirect URIs only the last one is new and can be wrong. */
  redirectUri: { field: "redirect_uri", kind: "trimmed", label: "Redirect URI", contract: ["redirect_uris"] },
} as const satisfies FormTable;

/** All scopes, each with the usual choice for an application of a sale. */
export const SCOPES = [
  {
    scope: "read_entities",
    name: "See entities",
    usual: "required",
    text: "The people and companies that a user registered, and their eligibility. A sale opens only with it required.",
  },
  {
    scope: "sale_eligibility_check",
    name: "Check eligibility",
    usual: "required",
    text: "May this user take part in the sale? A sale opens only with it required.",
  },
  {
    scope: "contact_email",
    name: "Know the e-mail address",
    usual: "off",
    text: "The user’s e-mail address. Where it is optional, the user may choose. To require it you must have signed in within the last ten minutes, and the owners are notified by e-mail.",
  },
] as const;

/** Returns a scope in words; the scope itself for one that this version doesn't know. */
export function scopeName(scope: string): string {
  return SCOPES.find((one) => one.scope === scope)?.name ?? scope;
}

/** Bounds of the contract. */
const MAX_REDIRECT_URIS = 20;

export const CHANGED_MEANWHILE: FormErrors = [
  {
    text: "Somebody else has changed the application in the meantime. The page now shows the current state: make your change again.",
  },
];

/** Returns errors for entries that are missing, without which an application can't be saved. */
export function nameErrors(name: string): FormErrors {
  return name.trim() === "" ? [{ ...errorField(APPLICATION_TABLE.name), text: "Enter a name" }] : [];
}

/**
 * Returns errors for a redirect URI that the service would refuse in any case.
 *
 * @param registered number of redirect URIs so far
 */
export function addedUriErrors(uri: string, registered: number): FormErrors {
  const refused = (text: string) => [{ ...errorField(APPLICATION_TABLE.redirectUri), text }];
  if (uri === "") return refused("Enter a redirect URI");
  if (registered < MAX_REDIRECT_URIS) return [];
  return refused(`There are already ${MAX_REDIRECT_URIS}, the most that an application can have: remove one first`);
}

/** Returns the form's field for a field of `ClientDefinition`. */
export function fieldOfApplication(
  contractField: string,
): { readonly field: string; readonly label: string } | undefined {
  const [, name = ""] = /^(?:definition\.)?(\w+)/.exec(contractField) ?? [];
  if (name === "scopes") return { field: "scope-read_entities-off", label: "Scopes" };
  return contractErrorField(APPLICATION_TABLE, name);
}
