import type { AuthSurfaceConfig } from "../web/sessions/auth-config.ts";
import { IDENTITY_CALLBACK_SCHEMAS, identityCallbackOperations } from "./identity-callback-operations.ts";
import { INTROSPECTION_SCHEMAS } from "./introspection-schemas.ts";
import { oauthOperations, securitySchemes } from "./oauth-operations.ts";
import { OAUTH_SCHEMAS } from "./oauth-schemas.ts";
import { publicCallOperations, tokenOperations } from "./public-call-operations.ts";
import { PUBLIC_CALL_SCHEMAS, TOKEN_CALL_SCHEMAS } from "./public-call-schemas.ts";
import { publicReadOperations } from "./public-read-operations.ts";
import type { Json } from "./schema-parts.ts";
import { PUBLIC_READ_SCHEMAS } from "./schemas.ts";

export interface ApiSite {
  /** First segment of the public read's paths. */
  readonly pathPrefix: string;
  /** Origins of sign-in and public read; without sign-in the document has the public read only. */
  readonly auth?: Pick<AuthSurfaceConfig, "authUrl" | "publicBaseUrl"> | undefined;
  /** Whether users take part in sales through this gateway, for which it needs `auth`. */
  readonly hasPublicCalls?: boolean;
  /** Whether callbacks of a vendor of identity checks are taken, with `hasPublicCalls` only. */
  readonly takesIdentityCallbacks?: boolean;
}

const OVERVIEW = `The live read side of token sales, and the sign-in that goes with it.

Amounts, prices and their parts are strings of decimal digits, as they can be larger than JavaScript's numbers; counts and decimals are integers. IDs are lower-case hex. A field that doesn't apply is absent, never \`null\`.

The public read needs no sign-in, and answers any web page (CORS), errors included. Beside what is described here there are pages for people: \`/sales/{SaleUUID}\` of each sale`;

/** Returns the OpenAPI 3.1 document of the gateway's public operations. */
export function openApiDocument(site: ApiSite): Json {
  const { pathPrefix, auth, hasPublicCalls = false } = site;
  const takesCallbacks = hasPublicCalls && site.takesIdentityCallbacks === true;
  const pages = auth === undefined ? "." : ", and `/account` and `/dashboard` for those who have signed in.";
  return {
    openapi: "3.1.1",
    info: {
      title: "Tidemark",
      version: "1",
      description: OVERVIEW + pages,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // If no origin is configured, paths are relative to the document.
    servers: [{ url: auth?.publicBaseUrl ?? "/" }],
    tags: [
      { name: "Public read", description: "What anyone may see of a sale." },
      ...(auth === undefined ? [] : [{ name: "Sign-in", description: "OAuth 2.0: authorization code with PKCE." }]),
      ...(hasPublicCalls ? [{ name: "Taking part", description: "Calls for a user, with an access token." }] : []),
    ],
    paths: {
      ...publicReadOperations(pathPrefix),
      ...(auth && { ...oauthOperations(auth.authUrl), ...tokenOperations() }),
      ...(hasPublicCalls && publicCallOperations(pathPrefix)),
      ...(takesCallbacks && identityCallbackOperations(pathPrefix)),
    },
    components: {
      schemas: {
        ...PUBLIC_READ_SCHEMAS,
        ...(auth && { ...OAUTH_SCHEMAS, ...INTROSPECTION_SCHEMAS, ...TOKEN_CALL_SCHEMAS }),
        ...(hasPublicCalls && PUBLIC_CALL_SCHEMAS),
        ...(takesCallbacks && IDENTITY_CALLBACK_SCHEMAS),
      },
      ...(auth && { securitySchemes: securitySchemes(auth.authUrl) }),
    },
  };
}
