import { authorizationServerMetadata } from "../oauth/metadata.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import {
  ACTIVE_TOKEN_EXAMPLE,
  EXAMPLE_CHALLENGE,
  EXAMPLE_CLIENT,
  EXAMPLE_REDIRECT_URI,
  EXCHANGE_EXAMPLE,
  INTROSPECTION_EXAMPLE,
  JWKS_EXAMPLE,
  PUSHED_REQUEST_EXAMPLE,
  PUSHED_REQUEST_URI_EXAMPLE,
  REFRESH_EXAMPLE,
  REVOCATION_EXAMPLE,
  TOKENS_EXAMPLE,
  USER_INFO_EXAMPLE,
} from "./examples.ts";
import { jsonResponse, oauthErrors, pageErrors } from "./responses.ts";
import { type Json, ref } from "./schema-parts.ts";

const TAG = "Sign-in";
export const ACCESS_TOKEN_SCHEME = "accessToken";
export const BOUND_TOKEN_SCHEME = "boundAccessToken";
export const OAUTH_SCHEME = "signIn";

const FORM = "application/x-www-form-urlencoded";

/** Returns the paths of sign-in. @param authUrl `AUTH_URL`, their origin */
export function oauthOperations(authUrl: string): Json {
  const metadata = JSON.parse(authorizationServerMetadata(authUrl));
  const published = {
    200: jsonResponse("The endpoints.", "AuthorizationServerMetadata", metadata, PUBLISHED),
  };
  const paths: Readonly<Record<string, Json>> = {
    [AUTH_PATHS.authorize]: { get: AUTHORIZE },
    [AUTH_PATHS.push]: { post: PUSH },
    [AUTH_PATHS.token]: { post: TOKEN },
    [AUTH_PATHS.revoke]: { post: REVOKE },
    [AUTH_PATHS.introspect]: { post: INTROSPECT },
    [AUTH_PATHS.userinfo]: { get: USER_INFO, post: { ...USER_INFO, operationId: "POST:oauth.UserInfo" } },
    [AUTH_PATHS.logout]: { get: LOGOUT },
    [AUTH_PATHS.metadata]: { get: { ...METADATA, responses: published } },
    [AUTH_PATHS.openIdConfiguration]: {
      get: { ...OPENID_CONFIGURATION, responses: published },
    },
    [AUTH_PATHS.jwks]: { get: JWKS },
  };
  const servers = [{ url: authUrl, description: "Sign-in" }];
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]));
}

/** Returns the security schemes. */
export function securitySchemes(authUrl: string): Json {
  return {
    [ACCESS_TOKEN_SCHEME]: { type: "http", scheme: "bearer", description: "The access token of a signed-in user." },
    [BOUND_TOKEN_SCHEME]: {
      type: "http",
      scheme: "dpop",
      description:
        "An access token that is bound to a key (RFC 9449), with a proof in the header `DPoP`. Refusals name `invalid_dpop_proof`, `use_dpop_nonce` or `invalid_token` in `WWW-Authenticate`; answers have the nonce for the next proof in `DPoP-Nonce`.",
    },
    [OAUTH_SCHEME]: {
      type: "oauth2",
      description: "Authorization code with PKCE (`S256`); no client has a secret.",
      flows: {
        authorizationCode: {
          authorizationUrl: authUrl + AUTH_PATHS.authorize,
          tokenUrl: authUrl + AUTH_PATHS.token,
          refreshUrl: authUrl + AUTH_PATHS.token,
          scopes: {
            read_entities: "Read entity information and eligibility status.",
            sale_eligibility_check: "Check eligibility for sales.",
            contact_email: "Access the user's contact email.",
            openid: "Get an ID token (OpenID Connect).",
          },
        },
      },
    },
  };
}

const PUBLISHED: Json = {
  "Cache-Control": { description: "May be kept for five minutes.", schema: { type: "string" } },
};

function query(name: string, description: string, more: Json = {}): Json {
  return { name, in: "query", description, schema: { type: "string" }, ...more };
}

const PROOF: Json = {
  name: "DPoP",
  in: "header",
  description:
    "A proof that the application has a key, to which the tokens are then bound (RFC 9449). Answers to it have the nonce for the next one in `DPoP-Nonce`; `use_dpop_nonce` asks for one.",
  schema: { type: "string" },
};

const PROMPT = "^(none|(login|consent|select_account)( (login|consent|select_account))*)$";

const AUTHORIZE: Json = {
  operationId: "GET:oauth.Authorize",
  tags: [TAG],
  summary: "Send the user here to sign in",
  description:
    "An address for the user's browser (RFC 6749 section 4.1.1, RFC 7636, RFC 9207), not for `fetch`. The user signs in, consents, and returns to the redirect URI with `code`, `state` and `iss`, or with `error`, `state` and `iss`.",
  security: [],
  parameters: [
    query("response_type", "Always `code`.", { required: true, schema: { const: "code" }, example: "code" }),
    query("client_id", "The client's UUID.", { required: true, example: EXAMPLE_CLIENT }),
    query(
      "redirect_uri",
      "One of the registered, character by character; may be left out where there is one only, but not with `openid`.",
      {
        example: EXAMPLE_REDIRECT_URI,
      },
    ),
    query("code_challenge", "Base64url of the SHA-256 of the code verifier.", {
      required: true,
      schema: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" },
      example: EXAMPLE_CHALLENGE,
    }),
    query("code_challenge_method", "`S256`, also when left out.", { schema: { const: "S256" } }),
    query("dpop_jkt", "The thumbprint of the key that must exchange the code (RFC 9449 section 10).", {
      schema: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" },
    }),
    query("state", "Random; compare it when the browser comes back.", { schema: { type: "string", maxLength: 2000 } }),
    query(
      "scope",
      "Names with spaces between; left out, all that the client is configured for. `openid` asks for an ID token; every client may. Unknown names are ignored.",
    ),
    query("request_uri", "That of a pushed request (RFC 9126); beside it only `client_id` counts."),
    query(
      "prompt",
      "`none`: no page, or an error; or names of these with one space between: `login`: sign in anew; `consent`: ask anew; `select_account`: let the user choose the account.",
      { schema: { type: "string", pattern: PROMPT } },
    ),
    query("nonce", "Random; the ID token contains it. With the scope `openid`.", {
      schema: { type: "string", maxLength: 512 },
    }),
    query("max_age", "How old the sign-in may be, in seconds; `0` is `prompt=login`.", {
      schema: { type: "integer", minimum: 0, maximum: 999_999_999 },
    }),
    query("login_hint", "The e-mail address with which the sign-in page begins.", { schema: { type: "string" } }),
    query("id_token_hint", "An ID token of this client: only its user may answer. It may have expired."),
    query("ui_locales", "The languages that the user prefers, such as `de en`."),
  ],
  responses: {
    303: {
      description: "To the page that comes next, or back to the application.",
      headers: { Location: { description: "Where to.", required: true, schema: { type: "string" } } },
    },
    ...pageErrors({
      400: "A page for the user: the request is invalid, or its client or redirect URI is unknown.",
      429: "A page for the user: tried too often.",
      500: "A page for the user: our fault.",
      503: "A page for the user: sign-in is away for a moment.",
    }),
  },
};

const PUSH: Json = {
  operationId: "POST:oauth.PushedAuthorizationRequest",
  tags: [TAG],
  summary: "Send an authorization request in advance",
  description:
    "RFC 9126. Takes the parameters of `/oauth/authorize` and checks them as there. The user's browser then goes to `/oauth/authorize` with `client_id` and `request_uri` only. One authorization begins from it, within a minute. Pages may call it from the origin of any registered redirect URI (CORS).",
  security: [],
  parameters: [PROOF],
  requestBody: form("PushedRequest", { push: { summary: "Push a request", value: PUSHED_REQUEST_EXAMPLE } }),
  responses: {
    201: jsonResponse("Stored.", "PushedRequestUri", PUSHED_REQUEST_URI_EXAMPLE),
    ...oauthErrors(400, 401, 413, 415, 429, 500, 503),
  },
};

const TOKEN: Json = {
  operationId: "POST:oauth.Token",
  tags: [TAG],
  summary: "Exchange a code, or refresh",
  description:
    "Pages may call it from the origin of any registered redirect URI (CORS). No client has a secret: one that sends one is refused. A confidential client authenticates with an assertion.",
  security: [],
  parameters: [PROOF],
  requestBody: formOrJson("TokenRequest", {
    exchange: { summary: "Exchange a code", value: EXCHANGE_EXAMPLE },
    refresh: { summary: "Refresh", value: REFRESH_EXAMPLE },
  }),
  responses: {
    200: jsonResponse("Tokens.", "Tokens", TOKENS_EXAMPLE),
    ...oauthErrors(400, 401, 413, 415, 429, 500, 503),
  },
};

const REVOKE: Json = {
  operationId: "POST:oauth.Revoke",
  tags: [TAG],
  summary: "Revoke a user's tokens",
  description:
    "Either token ends both (RFC 7009). A token that isn't known is as good as revoked. `client_id` may be left out; one that is sent must be that of an enabled client. A confidential client must authenticate.",
  security: [],
  requestBody: formOrJson("RevocationRequest", { revoke: { summary: "Sign out", value: REVOCATION_EXAMPLE } }),
  responses: {
    200: { description: "Done; the answer is empty." },
    ...oauthErrors(400, 401, 413, 415, 429, 500, 503),
  },
};

const INTROSPECT: Json = {
  operationId: "POST:oauth.Introspect",
  tags: [TAG],
  summary: "Ask whether a token counts",
  description:
    "For the servers of confidential clients, about their own tokens only (RFC 7662). Of a token that is unknown, expired, revoked or another client's, the answer is `active: false` and nothing else. Pages can't call it (no CORS).",
  security: [],
  requestBody: form("IntrospectionRequest", {
    introspect: { summary: "Before a valuable call", value: INTROSPECTION_EXAMPLE },
  }),
  responses: {
    200: jsonResponse("Whether it counts.", "Introspection", ACTIVE_TOKEN_EXAMPLE),
    ...oauthErrors(400, 401, 413, 415, 429, 500, 503),
  },
};

const CHALLENGE: Json = {
  "WWW-Authenticate": {
    description: "What is wrong with the token (RFC 6750 section 3, RFC 9449 section 7.1).",
    schema: { type: "string" },
  },
};

const USER_INFO: Json = {
  operationId: "GET:oauth.UserInfo",
  tags: [TAG],
  summary: "Who the user is",
  security: [{ [ACCESS_TOKEN_SCHEME]: [] }, { [BOUND_TOKEN_SCHEME]: [] }, { [OAUTH_SCHEME]: [] }],
  responses: {
    200: jsonResponse("The user.", "UserInfo", USER_INFO_EXAMPLE),
    ...oauthErrors(500, 503),
    400: bearerError(
      "The `Authorization` header is malformed.",
      "invalid_request",
      "the Authorization header is malformed",
    ),
    401: bearerError("No token, or one that is good no more.", "invalid_token", "the access token is not valid"),
    403: bearerError(
      "The user no longer grants a scope that the client requires: send them through authorize again.",
      "insufficient_scope",
      "the user no longer grants what the client requires",
    ),
  },
};

function bearerError(description: string, error: string, message: string): Json {
  const example = { error, error_description: message };
  return { description, headers: CHALLENGE, content: { "application/json": { schema: ref("OAuthError"), example } } };
}

const LOGOUT: Json = {
  operationId: "GET:oauth.Logout",
  tags: [TAG],
  summary: "Send the user here to sign out",
  description:
    "An address for the user's browser (OpenID Connect RP-Initiated Logout 1.0), not for `fetch`; a form may send the same parameters by POST. The user is asked whether to sign out of Tidemark, may also end the access of the application or of all, and returns with `state`.",
  security: [],
  parameters: [
    query("id_token_hint", "An ID token of the user; it may have expired."),
    query("client_id", "The client's UUID; isn't needed with `id_token_hint`.", { example: EXAMPLE_CLIENT }),
    query("post_logout_redirect_uri", "One of the registered, character by character; needs one of the two above."),
    query("state", "Comes back with the browser.", { schema: { type: "string", maxLength: 2000 } }),
    query("logout_hint", "Not needed."),
    query("ui_locales", "The languages that the user prefers, such as `de en`."),
  ],
  responses: {
    200: {
      description: "A page for the user, who is signed in or isn't any more.",
      content: { "text/html": { schema: { type: "string" } } },
    },
    303: {
      description: "To the same address without `ui_locales`.",
      headers: { Location: { description: "Where to.", required: true, schema: { type: "string" } } },
    },
    ...pageErrors({
      400: "A page for the user: the request is invalid, or names an address that isn't registered.",
      429: "A page for the user: tried too often.",
      500: "A page for the user: our fault.",
      503: "A page for the user: sign-in is away for a moment.",
    }),
  },
};

const METADATA: Json = {
  operationId: "GET:oauth.Metadata",
  tags: [TAG],
  summary: "The server's endpoints",
  description: "For libraries, which find the endpoints by themselves (RFC 8414, OpenID Connect Discovery).",
  security: [],
};

const OPENID_CONFIGURATION: Json = {
  ...METADATA,
  operationId: "GET:oauth.OpenIdConfiguration",
  summary: "The server's endpoints, for OpenID Connect",
  description: `The same document as \`${AUTH_PATHS.metadata}\`, which is the main path; libraries of OpenID Connect ask here.`,
};

const JWKS: Json = {
  operationId: "GET:oauth.Keys",
  tags: [TAG],
  summary: "The keys that sign tokens",
  description:
    "For services that take access tokens, JWTs of RFC 9068 that are always signed with ES256, and for applications that verify ID tokens, signed with RS256 or, by their setting, ES256.",
  security: [],
  responses: {
    200: jsonResponse("The keys.", "JsonWebKeySet", JWKS_EXAMPLE, PUBLISHED),
    ...oauthErrors(500, 503),
  },
};

function form(schema: string, examples: Json): Json {
  const content = { [FORM]: { schema: ref(schema), examples } };
  return { required: true, description: "A form; 16 KiB at most.", content };
}

function formOrJson(schema: string, examples: Json): Json {
  const content = { schema: ref(schema), examples };
  return {
    required: true,
    description: "A form, or a JSON object of strings with the same names; 16 KiB at most.",
    content: { [FORM]: content, "application/json": content },
  };
}
