import { ASSERTION_ALGORITHMS } from "../../common/platform/jwt/assertion-algorithms.ts";
import { AUTHENTICATION_CLASSES } from "../../common/platform/jwt/authentication-class.ts";
import { PROOF_ALGORITHMS } from "../../common/platform/jwt/proof-algorithms.ts";
import { LANGUAGES } from "../../common/platform/language/language.ts";
import { TtlCache } from "../web/http/ttl-cache.ts";
import { ANSWER_MAX_AGE_MS, JWKS_TTL_MS } from "../web/lifetimes.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";

/** The claims of ID tokens, and of userinfo: `sub` and, with the scope `contact_email`, `email` and `email_verified`. */
const CLAIMS = [
  ...["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash"],
  ...["email", "email_verified"],
];

/**
 * Returns the metadata of the authorization server (RFC 8414, RFC 9126, RFC 9207) and OpenID provider (OpenID Connect Discovery section 3) as
 * JSON. Both well-known addresses have all of it.
 */
export function authorizationServerMetadata(issuer: string): string {
  return JSON.stringify({
    issuer,
    authorization_endpoint: issuer + AUTH_PATHS.authorize,
    pushed_authorization_request_endpoint: issuer + AUTH_PATHS.push,
    require_pushed_authorization_requests: false,
    token_endpoint: issuer + AUTH_PATHS.token,
    revocation_endpoint: issuer + AUTH_PATHS.revoke,
    introspection_endpoint: issuer + AUTH_PATHS.introspect,
    userinfo_endpoint: issuer + AUTH_PATHS.userinfo,
    end_session_endpoint: issuer + AUTH_PATHS.logout,
    jwks_uri: issuer + AUTH_PATHS.jwks,
    scopes_supported: ["openid", "read_entities", "sale_eligibility_check", "contact_email"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256", "ES256"],
    acr_values_supported: Object.values(AUTHENTICATION_CLASSES),
    claim_types_supported: ["normal"],
    claims_supported: CLAIMS,
    claims_parameter_supported: false,
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    ui_locales_supported: LANGUAGES,
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: ["private_key_jwt"],
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
}

/** Returns a function that gives the authorization server's metadata as JSON. */
export function metadataDocument({ config }: Pick<AuthDependencies, "config">): () => Promise<string> {
  const metadata = authorizationServerMetadata(config.authUrl);
  return async () => metadata;
}

/** Returns a function that gives the public keys of access and ID tokens as JSON (RFC 7517). */
export function jwksDocument({ clients, now }: Pick<AuthDependencies, "clients" | "now">): () => Promise<string> {
  const jwks = new TtlCache<string>({
    load: async () => (await clients.authorization.getJwks({ complete: true })).jwksJson,
    ttlMs: JWKS_TTL_MS,
    maxAgeMs: ANSWER_MAX_AGE_MS,
    maxEntries: 1,
    now,
  });
  return () => jwks.get("");
}
