import { ASSERTION_FIELDS } from "./introspection-schemas.ts";
import { type Json, object, ref, text } from "./schema-parts.ts";

const KEY_FIELDS = { kid: text("As in the header of a token."), use: { const: "sig" } };
const SCOPE = text("Names with one space between.");

/** Requests and answers of OAuth. */
export const OAUTH_SCHEMAS: Readonly<Record<string, Json>> = {
  CodeExchange: object(
    "The exchange of a code (RFC 6749 section 4.1.3).",
    {
      grant_type: { const: "authorization_code" },
      code: text("From the redirect; good once, for 60 seconds."),
      redirect_uri: text("The same as in the authorization request, where there was one."),
      client_id: text("The client's UUID."),
      ...ASSERTION_FIELDS,
      code_verifier: {
        type: "string",
        minLength: 43,
        maxLength: 128,
        description: "What the challenge was made of (RFC 7636).",
      },
    },
    ["redirect_uri", "client_id", ...Object.keys(ASSERTION_FIELDS)],
  ),
  Refresh: object(
    "A refresh (RFC 6749 section 6).",
    {
      grant_type: { const: "refresh_token" },
      refresh_token: text("The last one that was answered."),
      client_id: text("The client's UUID."),
      ...ASSERTION_FIELDS,
      scope: { ...SCOPE, description: "A part of what is granted, for a narrower access token." },
    },
    ["scope", ...Object.keys(ASSERTION_FIELDS)],
  ),
  TokenRequest: { oneOf: [ref("CodeExchange"), ref("Refresh")] },
  Tokens: object(
    "Tokens of a user for a client (RFC 6749 section 5.1).",
    {
      access_token: text("For the services behind the application; to the application it is opaque."),
      token_type: { enum: ["Bearer", "DPoP"], description: "`DPoP` for an access token that is bound to a key." },
      expires_in: { type: "integer", minimum: 1, description: "Seconds that the access token is good for." },
      refresh_token: text("Good once, for the next tokens."),
      scope: {
        ...SCOPE,
        description: "What is granted now; optional scopes may be missing, also those that the user has taken back.",
      },
      id_token: text(
        "Who has signed in, for the application itself (OpenID Connect Core section 2). With the scope `openid`.",
      ),
    },
    ["id_token"],
  ),
  PushedRequest: object(
    "An authorization request (RFC 9126 section 2.1).",
    {
      response_type: { const: "code" },
      client_id: text("The client's UUID."),
      redirect_uri: text("One of the registered; may be left out where there is one only, but not with `openid`."),
      code_challenge: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$", description: "As at `/oauth/authorize`." },
      code_challenge_method: { const: "S256" },
      state: { type: "string", maxLength: 2000 },
      scope: text("Names with one space between."),
      prompt: text("As at `/oauth/authorize`, like all other parameters of it."),
      ...ASSERTION_FIELDS,
    },
    ["redirect_uri", "code_challenge_method", "state", "scope", "prompt", ...Object.keys(ASSERTION_FIELDS)],
  ),
  PushedRequestUri: object("A stored request (RFC 9126 section 2.2).", {
    request_uri: text("For `/oauth/authorize`, with the same `client_id`. A secret until it is used."),
    expires_in: { const: 60, description: "Seconds." },
  }),
  RevocationRequest: object(
    "What to revoke (RFC 7009 section 2.1).",
    {
      token: { type: "string", minLength: 1, description: "An access or a refresh token; either ends both." },
      token_type_hint: text("Which of the two it is; isn't needed."),
      client_id: text("The client's UUID."),
      ...ASSERTION_FIELDS,
    },
    ["token_type_hint", "client_id", ...Object.keys(ASSERTION_FIELDS)],
  ),
  UserInfo: object(
    "Who the user is.",
    {
      sub: text("The user's name in this sale, and another one in every other sale."),
      email: { type: "string", description: "While the user grants the scope `contact_email`." },
      email_verified: { const: true, description: "Beside `email`: every address has been confirmed by a code." },
    },
    ["email", "email_verified"],
  ),
  OAuthError: object("Why a request wasn't met (RFC 6749 section 5.2).", {
    error: text("What kind of error it is, such as `invalid_grant`."),
    error_description: text("The same in words, for developers."),
  }),
  AuthorizationServerMetadata: object(
    "The server's endpoints and what it can do (RFC 8414, OpenID Connect Discovery).",
    {
      issuer: { type: "string", format: "uri", description: "`iss` of redirects and tokens." },
      ...Object.fromEntries(
        [
          "authorization_endpoint",
          "pushed_authorization_request_endpoint",
          "token_endpoint",
          "revocation_endpoint",
          "introspection_endpoint",
          "userinfo_endpoint",
          "end_session_endpoint",
          "jwks_uri",
        ].map((name) => [name, { type: "string", format: "uri" }]),
      ),
      ...Object.fromEntries(
        [
          "scopes_supported",
          "response_types_supported",
          "response_modes_supported",
          "grant_types_supported",
          "code_challenge_methods_supported",
          "prompt_values_supported",
          "subject_types_supported",
          "id_token_signing_alg_values_supported",
          "acr_values_supported",
          "dpop_signing_alg_values_supported",
          "claim_types_supported",
          "claims_supported",
          "ui_locales_supported",
          "token_endpoint_auth_methods_supported",
          "token_endpoint_auth_signing_alg_values_supported",
          "revocation_endpoint_auth_methods_supported",
          "revocation_endpoint_auth_signing_alg_values_supported",
          "introspection_endpoint_auth_methods_supported",
          "introspection_endpoint_auth_signing_alg_values_supported",
        ].map((name) => [name, { type: "array", items: { type: "string" } }]),
      ),
      authorization_response_iss_parameter_supported: { const: true },
      claims_parameter_supported: { const: false },
      require_pushed_authorization_requests: { const: false },
      request_parameter_supported: { const: false },
      request_uri_parameter_supported: { const: false },
    },
  ),
  JsonWebKeySet: object("The keys that access tokens and ID tokens are signed with (RFC 7517).", {
    keys: { type: "array", items: ref("JsonWebKey") },
  }),
  JsonWebKey: {
    description: "A public key.",
    oneOf: [
      object("A key of access tokens, and of ID tokens for applications that want it.", {
        kty: { const: "EC" },
        crv: { const: "P-256" },
        x: text("Base64url."),
        y: text("Base64url."),
        alg: { const: "ES256" },
        ...KEY_FIELDS,
      }),
      object("A key of ID tokens.", {
        kty: { const: "RSA" },
        n: text("Base64url."),
        e: text("Base64url."),
        alg: { const: "RS256" },
        ...KEY_FIELDS,
      }),
    ],
  },
};
