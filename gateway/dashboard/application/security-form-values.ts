import { fill } from "../../../common/platform/language/message.ts";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { errorField, type FormTable, type FormValues, rowOfContract } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";

/** The form of an application's security settings. */
export const SECURITY_TABLE = {
  demandsPush: {
    field: "demands_push",
    kind: "ticked",
    get label() {
      return texts().security.push;
    },
    get hint() {
      return texts().security.pushHint;
    },
  },
  demandsDpop: {
    field: "demands_dpop",
    kind: "ticked",
    get label() {
      return texts().security.dpop;
    },
    get hint() {
      return texts().security.dpopHint;
    },
  },
  authentication: {
    field: "authentication",
    kind: "chosen",
    get label() {
      return texts().security.authentication;
    },
    first: "none",
    choices: [
      {
        id: "authentication-none",
        value: "none",
        get label() {
          return texts().security.byNothing;
        },
        get hint() {
          return texts().security.byNothingHint;
        },
      },
      {
        id: "authentication-key",
        value: "private_key_jwt",
        get label() {
          return texts().security.byKey;
        },
        get hint() {
          return texts().security.byKeyHint;
        },
      },
    ],
  },
  /** A JWK set as JSON; empty for none. */
  jwks: {
    field: "jwks",
    kind: "trimmed",
    get label() {
      return texts().security.jwks;
    },
    get hint() {
      return texts().security.jwksHint;
    },
    contract: ["jwks"],
  },
  algorithm: {
    field: "algorithm",
    kind: "chosen",
    get label() {
      return texts().security.algorithm;
    },
    first: "RS256",
    choices: [
      {
        id: "algorithm-rs256",
        value: "RS256",
        label: "RS256",
        get hint() {
          return texts().security.rs256Hint;
        },
      },
      {
        id: "algorithm-es256",
        value: "ES256",
        label: "ES256",
        get hint() {
          return texts().security.es256Hint;
        },
      },
    ],
  },
  /** A URI a line. */
  postLogoutUris: {
    field: "post_logout_uris",
    kind: "trimmed",
    get label() {
      return texts().security.afterSignOut;
    },
    get hint() {
      return texts().security.afterSignOutHint;
    },
    contract: ["post_logout_redirect_uris"],
  },
} as const satisfies FormTable;

/** The security settings of an application as entered. */
export type SecurityFormValues = FormValues<typeof SECURITY_TABLE>;

/** Security settings as requests take them. */
export interface EnteredSecurity {
  readonly requirePushedAuthorizationRequests: boolean;
  readonly dpopBoundAccessTokens: boolean;
  readonly idTokenSignedResponseAlg: string;
  readonly tokenEndpointAuthMethod: string;
  readonly jwks: string;
  readonly postLogoutRedirectUris: string[];
}

/** Returns the values that mean the settings of an application. */
export function securityFormValues({ definition }: Client): SecurityFormValues {
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

/** Returns the settings that values mean. */
export function securityOf(values: SecurityFormValues): EnteredSecurity {
  return {
    requirePushedAuthorizationRequests: values.demandsPush,
    dpopBoundAccessTokens: values.demandsDpop,
    idTokenSignedResponseAlg: values.algorithm,
    tokenEndpointAuthMethod: values.authentication,
    jwks: values.jwks,
    postLogoutRedirectUris: linesOf(values.postLogoutUris),
  };
}

/** Whether a change needs an owner who has signed in recently: whatever isn't a demand switched on, or the algorithm. */
export function needsOwner(before: SecurityFormValues, after: SecurityFormValues): boolean {
  return (
    (before.demandsPush && !after.demandsPush) ||
    (before.demandsDpop && !after.demandsDpop) ||
    before.authentication !== after.authentication ||
    compact(before.jwks) !== compact(after.jwks) ||
    linesOf(before.postLogoutUris).join() !== linesOf(after.postLogoutUris).join()
  );
}

/** Returns values as text, for an address that shows them again after a sign-in. Secrets don't belong there. */
export function textOfSecurity(values: SecurityFormValues): string {
  return JSON.stringify({ ...values, jwks: isPublic(values.jwks) ? compact(values.jwks) : "" });
}

/** Returns values for a page that shows them again, without keys that have private parts. */
export function withoutSecrets(values: SecurityFormValues): SecurityFormValues {
  return { ...values, jwks: mayBeSecret(values.jwks) ? "" : values.jwks };
}

/** Returns the values of such a text; undefined for an empty one. */
export function securityOfText(text: string): SecurityFormValues | undefined {
  if (text === "") return undefined;
  const values = JSON.parse(text) as SecurityFormValues;
  return { ...values, jwks: readable(values.jwks) };
}

/**
 * Returns the form's field for a field of `ClientSecurity`, with the number of the key or line if it is about one of them;
 * undefined for any other field.
 */
export function fieldOfSecurity(contractField: string): { readonly field: string; readonly label: string } | undefined {
  const [, name = "", number] = /^definition\.security\.(\w+)(?:\.keys)?(?:\[(\d+)\])?/.exec(contractField) ?? [];
  const row = rowOfContract(SECURITY_TABLE, name);
  if (row === undefined) return undefined;
  const { field, label } = errorField(row);
  if (number === undefined) return { field, label };
  const { keyNumber, addressNumber } = texts().security;
  return { field, label: fill(name === "jwks" ? keyNumber : addressNumber, { number: String(Number(number) + 1) }) };
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
