import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { formValues } from "../base/form-table.ts";
import { APPLICATION_TABLE, SCOPES } from "./application-fields.ts";

const EMAIL_SCOPE = "contact_email";

/** Name and scopes as entered; each scope is `off`, `optional` or `required`. */
export interface ApplicationFormValues {
  readonly name: string;
  readonly scopes: ReadonlyMap<string, string>;
}

/** Returns the form's values that mean the definition of an application. */
export function formValuesOfApplication({ definition }: Client): ApplicationFormValues {
  const scopes = new Map(definition?.scopes.map(({ scope, required }) => [scope, required ? "required" : "optional"]));
  return { name: definition?.name ?? "", scopes };
}

/** Reads the form's values of a form. */
export function applicationFormValues(form: { text(name: string): string }): ApplicationFormValues {
  const scopes = SCOPES.map(({ scope }): [string, string] => [scope, form.text(`scope_${scope}`)]);
  return { name: formValues(APPLICATION_TABLE, form).name, scopes: new Map(scopes) };
}

/** Reads the redirect URI to add. */
export function enteredRedirectUri(form: { text(name: string): string }): string {
  return formValues(APPLICATION_TABLE, form).redirectUri;
}

/** Whether a form's entries make users give their e-mail addresses who didn't have to before. */
export function requiresEmailNow({ scopes }: ApplicationFormValues, before?: Client): boolean {
  const already = before?.definition?.scopes.some(({ scope, required }) => scope === EMAIL_SCOPE && required) ?? false;
  return scopes.get(EMAIL_SCOPE) === "required" && !already;
}

/** Returns entries as text, for a page that shows them again after a sign-in. */
export function textOfFormValues({ name, scopes }: ApplicationFormValues): string {
  return JSON.stringify({ name, scopes: [...scopes] });
}

/** Returns the form's values of such a text; undefined for an empty one. */
export function formValuesOfText(text: string): ApplicationFormValues | undefined {
  if (text === "") return undefined;
  const { name, scopes } = JSON.parse(text) as { name: string; scopes: [string, string][] };
  return { name, scopes: new Map(scopes) };
}

/** A definition of an application as requests take it. */
export interface EnteredDefinition {
  readonly name: string;
  readonly redirectUris: string[];
  readonly scopes: { scope: string; required: boolean }[];
}

/** Returns the definition that entries mean. */
export function definitionOf(
  { name, scopes }: ApplicationFormValues,
  redirectUris: readonly string[],
): EnteredDefinition {
  const chosen = SCOPES.map(({ scope }) => ({ scope, choice: scopes.get(scope) })).filter(
    ({ choice }) => choice === "required" || choice === "optional",
  );
  return {
    name,
    redirectUris: [...redirectUris],
    scopes: chosen.map(({ scope, choice }) => ({ scope, required: choice === "required" })),
  };
}

/** Returns name and scopes of an application, for a change of its redirect URIs alone. */
export function sameDefinition({ definition }: Client) {
  const { name = "", scopes = [] } = definition ?? {};
  return { name, scopes: scopes.map(({ scope, required }) => ({ scope, required })) };
}
