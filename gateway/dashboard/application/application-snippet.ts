import type { ClientSecurity } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";

export interface VerifierOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** `ACCESS_TOKEN_AUDIENCE`. */
  readonly audience: string;
  readonly clientId: string;
  readonly tenancy: "live" | "test";
  /** Whether the application gets no other tokens than those bound to a key (DPoP). */
  readonly bindsTokens?: boolean;
}

/** Returns a service that takes access tokens: that of docs/sign-in.md, with the values of an application. */
export function verifierSnippet({ issuer, audience, clientId, tenancy, bindsTokens }: VerifierOptions): string {
  return `${bindsTokens ? BOUND_TOKENS : ""}import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";

const issuer = ${JSON.stringify(issuer)};
const audience = ${JSON.stringify(audience)};
const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", issuer));
const rules = { issuer, audience, typ: "at+jwt", algorithms: ["ES256"] };

async function userOf({ headers }) {
  const { payload } = await jwtVerify((headers.authorization ?? "").replace(/^bearer +/i, ""), keys, rules);
  // Tokens of other applications, and of test sales, come from the same issuer with the same keys.
  const isOurs = payload.client_id === ${JSON.stringify(clientId)} && payload.tenancy === ${JSON.stringify(tenancy)};
  if (!isOurs) throw new Error("the token is for another application");
  if (payload.cnf !== undefined) throw new Error("the token is bound to a key, and no bearer token");
  if (!payload.scope.split(" ").includes("read_entities")) throw new Error("the token lacks a scope");
  return payload.sub;
}

createServer(async (request, response) => {
  const user = await userOf(request).catch(() => undefined);
  response.writeHead(user === undefined ? 401 : 200);
  response.end(user && \`Hello \${user}\\n\`);
}).listen(3001, "localhost", () => console.log("listening"));
`;
}

const BOUND_TOKENS = `// This application's tokens are bound to keys, and this service refuses such tokens. To take them, it must also check
// the DPoP proof of each request (RFC 9449 section 4.3): cnf.jkt is the thumbprint of its key.
`;

export interface SnippetOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  readonly clientId: string;
  /** A registered redirect URI, or an example. */
  readonly redirectUri: string;
  /** The demands on the application. The program meets the one for pushed requests, and names the others. */
  readonly security?: Pick<
    ClientSecurity,
    "requirePushedAuthorizationRequests" | "dpopBoundAccessTokens" | "tokenEndpointAuthMethod"
  >;
}

/** Returns a program that signs one user in: that of docs/sign-in.md, with the values of an application. */
export function signInSnippet({ issuer, clientId, redirectUri, security }: SnippetOptions): string {
  const isHttp = issuer.startsWith("http:");
  const options = isHttp
    ? `{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }; // http: on this machine only`
    : `{ algorithm: "oauth2" };`;
  const { hostname, port, protocol } = new URL(redirectUri);
  const listens = protocol === "http:" ? `${port || "80"}, ${JSON.stringify(hostname)}` : `3000, "localhost"`;
  const url = security?.requirePushedAuthorizationRequests
    ? "await client.buildAuthorizationUrlWithPAR(config, parameters)"
    : "client.buildAuthorizationUrl(config, parameters)";
  return `${furtherDemands(security)}import { createServer } from "node:http";
import * as client from "openid-client";

const options = ${options}
const server = new URL(${JSON.stringify(issuer)});
const config = await client.discovery(
  server,
  ${JSON.stringify(clientId)},
  undefined,
  client.None(),
  options,
);

const redirect_uri = ${JSON.stringify(redirectUri)};
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
const parameters = { redirect_uri, state: expectedState, code_challenge, code_challenge_method: "S256" };
console.log(\`open \${${url}}\`);

createServer(async (request, response) => {
  const callback = new URL(request.url, redirect_uri);
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
  const user = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  response.end(\`Hello \${user.sub}\\n\`, () => process.exit());
}).listen(${listens});
`;
}

/** Returns a comment for each demand that the program doesn't meet. */
function furtherDemands(security: SnippetOptions["security"]): string {
  const key = security?.tokenEndpointAuthMethod === "private_key_jwt";
  return [
    key && "// This application authenticates with its own key: use client.PrivateKeyJwt in place of client.None.\n",
    security?.dpopBoundAccessTokens &&
      "// This application binds its tokens: give every call a DPoP handle of client.getDPoPHandle.\n",
  ]
    .filter(Boolean)
    .join("");
}
