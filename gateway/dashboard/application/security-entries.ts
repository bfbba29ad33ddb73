import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";

/** The security settings of an application as entered. */
export interface SecurityEntries {
  readonly demandsPush: boolean;
  readonly demandsDpop: boolean;
  /** `RS256` or `ES256`. */
  readonly algorithm: string;
  /** `none` or `private_key_jwt`. */
  readonly authentication: string;
  /** A JWK set as JSON; empty for none. */
  readonly jwks: string;
  /** A URI a line. */
  readonly postLogoutUris: string;
}

/** Security settings as requests take them. */
export interface EnteredSecurity {
  readonly requirePushedAuthorizationRequests: boolean;
  readonly dpopBoundAccessTokens: boolean;
  readonly idTokenSignedResponseAlg: string;
  readonly tokenEndpointAuthMethod: string;
  readonly jwks: string;
  readonly postLogoutRedirectUris: string[];
}

/** Returns the entries that mean the settings of an application. */
export function entriesOfSecurity({ definition }: Client): SecurityEntries {
  const security = definition?.security;
  return {
    demandsPush: security?.requirePushedAuthorizationRequests ?? false,
    demandsDpop: security?.dpopBoundAccessTokens ?? false,
    algorithm: security?.idTokenSignedResponseAlg || "RS256",
    authentication: security?.tokenEndpointAuthMethod || "none",
    jwks: readable(security?.jwks ?? ""),
    postLogoutUris: (security?.postLogoutRedirectUris ?? []).join("\n"),
  };
}

/** Reads the entries of a form. */
export function securityEntriesOf(form: { text(name: string): string }): SecurityEntries {
  return {
    demandsPush: form.text("demands_push") === "yes",
    demandsDpop: form.text("demands_dpop") === "yes",
    algorithm: form.text("algorithm") === "ES256" ? "ES256" : "RS256",
    authentication: form.text("authentication") === "private_key_jwt" ? "private_key_jwt" : "none",
    jwks: form.text("jwks").trim(),
    postLogoutUris: form.text("post_logout_uris").trim(),
  };
}

/** Returns the settings that entries mean. */
export function securityOf(entries: SecurityEntries): EnteredSecurity {
  return {
    requirePushedAuthorizationRequests: entries.demandsPush,
    dpopBoundAccessTokens: entries.demandsDpop,
    idTokenSignedResponseAlg: entries.algorithm,
    tokenEndpointAuthMethod: entries.authentication,
    jwks: entries.jwks,
    postLogoutRedirectUris: linesOf(entries.postLogoutUris),
  };
}

/** Whether a change needs an owner who has signed in recently: whatever isn't a demand switched on, or the algorithm. */
export function needsOwner(before: SecurityEntries, after: SecurityEntries): boolean {
  return (
    (before.demandsPush && !after.demandsPush) ||
    (before.demandsDpop && !after.demandsDpop) ||
    before.authentication !== after.authentication ||
    compact(before.jwks) !== compact(after.jwks) ||
    linesOf(before.postLogoutUris).join() !== linesOf(after.postLogoutUris).join()
  );
}

/** Returns entries as text, for an address that shows them again after a sign-in. Secrets don't belong there. */
export function textOfSecurity(entries: SecurityEntries): string {
  return JSON.stringify({ ...entries, jwks: isPublic(entries.jwks) ? compact(entries.jwks) : "" });
}

/** Returns entries for a page that shows them again, without keys that have private parts. */
export function withoutSecrets(entries: SecurityEntries): SecurityEntries {
  return { ...entries, jwks: mayBeSecret(entries.jwks) ? "" : entries.jwks };
}

/** Returns the entries of such a text; undefined for an empty one. */
export function securityOfText(text: string): SecurityEntries | undefined {
  if (text === "") return undefined;
  const entries = JSON.parse(text) as SecurityEntries;
  return { ...entries, jwks: readable(entries.jwks) };
}

/**
 * Returns the form's field for a field of `ClientSecurity`, with the number of the key or line if it is about one of them;
 * undefined for any other field.
 */
export function fieldOfSecurity(contractField: string): { readonly field: string; readonly label: string } | undefined {
  const path = contractField.replace(/^definition\.security\./, "");
  const number = Number(/\[(\d+)\]/.exec(path)?.[1] ?? "-1") + 1;
  if (path.startsWith("jwks")) return { field: "jwks", label: number === 0 ? "Public keys" : `Public key ${number}` };
  if (path.startsWith("post_logout_redirect_uris")) {
    return { field: "post_logout_uris", label: number === 0 ? "Addresses after a sign-out" : `Address ${number}` };
  }
  return undefined;
}

/** Whether text is JSON without private parts of keys. */
function isPublic(jwks: string): boolean {
  return jwks === "" || (parsed(jwks) !== undefined && !mayBeSecret(jwks));
}

/** Whether text has members that only private and symmetric keys have, or the beginning of a private key as PEM. */
function mayBeSecret(jwks: string): boolean {
  return /"(?:d|p|q|dp|dq|qi|oth|k|priv)"\s*:|PRIVATE/.test(jwks);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** JSON with indentation; text that is no JSON as it is. */
function readable(json: string): string {
  return withIndentation(json, 2);
}

/** JSON without white space; text that is no JSON as it is. */
function compact(json: string): string {
  return withIndentation(json, 0);
}

function withIndentation(json: string, spaces: number): string {
  const value = parsed(json);
  return value === undefined ? json : JSON.stringify(value, null, spaces);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
