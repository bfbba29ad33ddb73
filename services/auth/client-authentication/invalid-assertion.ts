import { OAuthError } from "../base/oauth/oauth-error.ts";

/** @param rule what the assertion must fulfil and doesn't: printable ASCII without `"` and `\` */
export function invalidAssertion(rule: string): OAuthError {
  return new OAuthError("invalid_client", `client_assertion is refused: ${rule}`);
}

/** The error for a confidential client that has sent no assertion. */
export function missingAssertion(): OAuthError {
  return new OAuthError("invalid_client", "the client must authenticate: send client_assertion (private_key_jwt)");
}
