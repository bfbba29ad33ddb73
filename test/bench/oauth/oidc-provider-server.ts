// The baseline for the token endpoint: oidc-provider with its in-memory adapter, configured like our server with public clients
// and PKCE, ES256 access tokens as JWTs, and rotating refresh tokens. It listens on `PORT`.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import { APPLICATION, CODE_CHALLENGE } from "./application.ts";

const AUDIENCE = "https://api.example";
const SCOPE = APPLICATION.scopes.join(" ");
const ACCESS_TOKEN_SECONDS = 900;
const CONSENT = `<form method="post"><button name="decision" value="allow">Allow</button></form>`;

// By default the adapter keeps only the last thousand entries, codes and sessions included. It has no types.
const MEMORY_ADAPTER: string = "oidc-provider/lib/adapters/memory_adapter.js";
const { default: MemoryAdapter } = await import(MEMORY_ADAPTER);
const store = new Map<string, unknown>();

const port = Number(process.env["PORT"]);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: (model: string) => new MemoryAdapter(model, store),
  clients: [
    {
      client_id: APPLICATION.clientId,
      redirect_uris: [APPLICATION.redirectUri],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
      scope: SCOPE,
    },
  ],
  jwks: { keys: [await signingKey()] },
  scopes: [...APPLICATION.scopes],
  cookies: { keys: ["a key for the cookies of a benchmark"] },
  pkce: { required: () => true },
  findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  ttl: {
    AuthorizationCode: 60,
    RefreshToken: 30 * 86_400,
    Grant: 90 * 86_400,
    Session: 14 * 86_400,
    Interaction: 1_800,
  },
  features: {
    devInteractions: { enabled: false },
    // Only where a proof comes. Ours always demands a nonce then.
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => AUDIENCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: SCOPE,
        audience: AUDIENCE,
        accessTokenFormat: "jwt" as const,
        accessTokenTTL: ACCESS_TOKEN_SECONDS,
        jwt: { sign: { alg: "ES256" as const } },
      }),
    },
  },
});

const answer = provider.callback();
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
  if (pathname === "/prepare") void prepare(Number(searchParams.get("count")), response);
  else if (pathname.startsWith("/interaction/")) void interact(request, response);
  else void answer(request, response);
});
server.listen(port, "127.0.0.1", () => console.log(JSON.stringify({ msg: "oidc-provider listens", port })));

async function signingKey() {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "benchmark" };
}

/** Sends new codes like those that consents create, one a line. */
async function prepare(count: number, response: ServerResponse): Promise<void> {
  const client = await provider.Client.find(APPLICATION.clientId);
  const codes: string[] = [];
  for (let i = 0; client !== undefined && i < count; i += 1) {
    const accountId = `account-${codes.length}`;
    const code = new provider.AuthorizationCode({
      accountId,
      client,
      grantId: await grantTo(accountId),
      redirectUri: APPLICATION.redirectUri,
      scope: SCOPE,
      resource: AUDIENCE,
      codeChallenge: CODE_CHALLENGE,
      codeChallengeMethod: "S256",
      authTime: Math.floor(Date.now() / 1_000),
      gty: "authorization_code",
    });
    codes.push(await code.save());
  }
  response.end(codes.join("\n"));
}

async function grantTo(accountId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: APPLICATION.clientId });
  grant.addOIDCScope(SCOPE);
  grant.addResourceScope(AUDIENCE, SCOPE);
  return grant.save();
}

/** Signs everybody in at once, shows a consent page and takes the decision. */
async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: `account-${Math.random()}` } });
  } else if (request.method === "GET") {
    response.setHeader("Content-Type", "text/html").end(CONSENT);
  } else {
    request.resume();
    const grantId = await grantTo(session?.accountId ?? "");
    await provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
  }
}
