import { LANGUAGES } from "../../services/shared/texts/language.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";

/** Returns the authorization server's metadata (RFC 8414, RFC 9207) as JSON. */
export function authorizationServerMetadata(issuer: string): string {
  return JSON.stringify({
    issuer,
    authorization_endpoint: issuer + AUTH_PATHS.authorize,
    token_endpoint: issuer + AUTH_PATHS.token,
    revocation_endpoint: issuer + AUTH_PATHS.revoke,
    userinfo_endpoint: issuer + AUTH_PATHS.userinfo,
    jwks_uri: issuer + AUTH_PATHS.jwks,
    scopes_supported: ["read_entities", "sale_eligibility_check", "contact_email"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent"],
    ui_locales_supported: LANGUAGES,
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
}
