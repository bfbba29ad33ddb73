export interface SnippetOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  readonly clientId: string;
  /** A registered redirect URI, or an example. */
  readonly redirectUri: string;
}

/** Returns a program that signs one user in: that of docs/sign-in.md, with the values of an application. */
export function signInSnippet({ issuer, clientId, redirectUri }: SnippetOptions): string {
  const isHttp = issuer.startsWith("http:");
  const options = isHttp
    ? `{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }; // http: on this machine only`
    : `{ algorithm: "oauth2" };`;
  const { hostname, port, protocol } = new URL(redirectUri);
  const listens = protocol === "http:" ? `${port || "80"}, ${JSON.stringify(hostname)}` : `3000, "localhost"`;
  return `import { createServer } from "node:http";
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
console.log(\`open \${client.buildAuthorizationUrl(config, parameters)}\`);

createServer(async (request, response) => {
  const callback = new URL(request.url, redirect_uri);
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
  const user = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  response.end(\`Hello \${user.sub}\\n\`, () => process.exit());
}).listen(${listens});
`;
}
