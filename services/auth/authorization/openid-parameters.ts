import { readEmailAddress } from "../../../common/platform/names/email-address.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { namesOf, type OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import type { Prompt } from "./authorization-request.ts";

/** The parameters of OpenID Connect Core section 3.1.2.1 that Tidemark follows. */
export interface OpenIdParameters {
  /** The prompts without duplicates; empty where the request has none, and for `none`. */
  readonly prompts: readonly Prompt[];
  /** The maximum age of the sign-in in seconds; undefined for any. */
  readonly maxAgeSeconds: number | undefined;
  /** An e-mail address for the sign-in page, normalised by `parseEmailAddress`; undefined for text that can't be one. */
  readonly loginHint: string | undefined;
  /** The `nonce` of the ID token; undefined without the scope `openid`. */
  readonly nonce: string | undefined;
}

/** The names of these parameters, and of those that are refused. */
export const OPENID_PARAMETERS = [
  "prompt",
  "max_age",
  "login_hint",
  "nonce",
  "id_token_hint",
  "claims",
  "registration",
  "display",
  "ui_locales",
  "acr_values",
];

const PROMPTS: readonly Prompt[] = ["login", "consent", "select_account"];
/** Whole seconds, at most 31 years. */
const MAX_AGE = /^(?:0|[1-9][0-9]{0,8})$/;
/** 1 to 512 characters of printable ASCII, which is far more than the entropy that a nonce needs. */
const NONCE = /^[ -~]{1,512}$/;

/**
 * Reads the parameters of OpenID Connect. `display`, `acr_values` and `claims_locales` are wishes, which may be ignored;
 * `ui_locales` is for the pages.
 *
 * @param isOpenId whether the request has the scope `openid`. Without it, what only OpenID Connect knows is ignored (RFC 6749
 *   section 3.1).
 * @throws OAuthError
 */
export function readOpenIdParameters(parameters: OAuthParameters, isOpenId: boolean): OpenIdParameters {
  if (isOpenId) refuseUnsupported(parameters);
  const prompts = readPrompts(parameters);
  return {
    prompts: PROMPTS.filter((prompt) => prompts.includes(prompt)),
    maxAgeSeconds: readMaxAge(parameters),
    loginHint: readLoginHint(parameters),
    nonce: isOpenId ? readNonce(parameters) : undefined,
  };
}

/** Whether the client wants a response without any page. */
export function wantsNoPage(parameters: OAuthParameters): boolean {
  const [prompt, ...others] = parameters.names("prompt");
  return prompt === "none" && others.length === 0;
}

/**
 * Refuses what would change the meaning of a request. OpenID Connect Core section 5.5 lets a server ignore `claims`; an error
 * tells the developer what the claims come from.
 */
function refuseUnsupported(parameters: OAuthParameters): void {
  if (parameters.optional("claims") !== undefined) {
    throw new OAuthError("invalid_request", "claims is not supported: scopes decide which claims there are");
  }
  if (parameters.optional("registration") !== undefined) {
    throw new OAuthError("registration_not_supported", "registration is not supported: founders register applications");
  }
}

function readPrompts(parameters: OAuthParameters): readonly string[] {
  const prompts = namesOf(parameters.optional("prompt") ?? "");
  const knownPrompts: readonly string[] = ["none", ...PROMPTS];
  if (!prompts.every((prompt) => knownPrompts.includes(prompt))) {
    throw new OAuthError(
      "invalid_request",
      `prompt must be names with spaces between them, of ${knownPrompts.join(", ")}`,
    );
  }
  if (prompts.includes("none") && prompts.length > 1) {
    throw new OAuthError("invalid_request", "prompt none must be alone");
  }
  return prompts;
}

function readMaxAge(parameters: OAuthParameters): number | undefined {
  const text = parameters.optional("max_age");
  if (text === undefined) return undefined;
  if (MAX_AGE.test(text)) return Number(text);
  throw new OAuthError("invalid_request", "max_age must be whole seconds, 0 to 999999999");
}

/** A hint can't be wrong, only useless. */
function readLoginHint(parameters: OAuthParameters): string | undefined {
  const hint = parameters.optional("login_hint");
  return hint === undefined ? undefined : readEmailAddress(hint);
}

function readNonce(parameters: OAuthParameters): string | undefined {
  const nonce = parameters.optional("nonce");
  if (nonce === undefined || NONCE.test(nonce)) return nonce;
  throw new OAuthError("invalid_request", "nonce must be at most 512 characters of printable ASCII");
}
