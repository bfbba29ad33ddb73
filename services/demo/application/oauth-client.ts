import * as oauth from "oauth4webapi";
import { type TracedCall, tracedFetch } from "./traced-fetch.ts";

export interface OAuthClientOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** An authorization that was prepared: only its browser may end it. */
export interface PreparedAuthorization {
  /** Where the browser goes. */
  readonly url: string;
  readonly state: string;
  /** PKCE's secret (RFC 7636), of which the URL holds only the hash. */
  readonly codeVerifier: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

type Record = (call: TracedCall) => void;

/** The public client's side of OAuth 2.0, with a standard library. */
export class OAuthClient {
  readonly #options: OAuthClientOptions;
  readonly #client: oauth.Client;
  #server: Promise<oauth.AuthorizationServer> | undefined;

  constructor(options: OAuthClientOptions) {
    this.#options = options;
    this.#client = { client_id: options.clientId };
  }

  /** An authorization request with PKCE; no scope means all that the client is set up for. */
  async prepare(): Promise<PreparedAuthorization> {
    const { authorization_endpoint: endpoint = "" } = await this.#metadata();
    const [state, codeVerifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const url = new URL(endpoint);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: this.#options.clientId,
      redirect_uri: this.#options.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    }).toString();
    return { url: url.href, state, codeVerifier };
  }

  /**
   * Checks the callback's `state` and `iss`, which must be those of the request, and takes tokens for its code.
   *
   * @throws Error that tells what was wrong, also where the user has refused
   */
  async exchange(callback: URL, prepared: PreparedAuthorization, record: Record): Promise<Tokens> {
    const server = await this.#metadata();
    const parameters = oauth.validateAuthResponse(server, this.#client, callback, prepared.state);
    const { redirectUri } = this.#options;
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      oauth.None(),
      parameters,
      redirectUri,
      prepared.codeVerifier,
      callOptions(record),
    );
    return tokensOf(await oauth.processAuthorizationCodeResponse(server, this.#client, answer));
  }

  /** New tokens for the refresh token, which is good no more then. */
  async refresh({ refreshToken }: Tokens, record: Record): Promise<Tokens> {
    const server = await this.#metadata();
    const options = callOptions(record);
    const answer = await oauth.refreshTokenGrantRequest(server, this.#client, oauth.None(), refreshToken, options);
    return tokensOf(await oauth.processRefreshTokenResponse(server, this.#client, answer));
  }

  async userInfo({ accessToken }: Tokens, record: Record): Promise<void> {
    const server = await this.#metadata();
    const answer = await oauth.userInfoRequest(server, this.#client, accessToken, callOptions(record));
    await oauth.processUserInfoResponse(server, this.#client, oauth.skipSubjectCheck, answer);
  }

  /** Ends all that came of the sign-in. */
  async revoke({ refreshToken }: Tokens, record: Record): Promise<void> {
    const server = await this.#metadata();
    const options = callOptions(record);
    const answer = await oauth.revocationRequest(server, this.#client, oauth.None(), refreshToken, options);
    await oauth.processRevocationResponse(answer);
  }

  /** Read once; again after a failure. */
  #metadata(): Promise<oauth.AuthorizationServer> {
    this.#server ??= discover(new URL(this.#options.issuer)).catch((error: unknown) => {
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }
}

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  const options = { algorithm: "oauth2", ...callOptions(() => {}) } as const;
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
}

/** With `http:`, as the demo's Tidemark is on this machine. */
function callOptions(record: Record) {
  return { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: tracedFetch(record) };
}

function tokensOf({
  access_token: accessToken,
  refresh_token: refreshToken = "",
}: oauth.TokenEndpointResponse): Tokens {
  return { accessToken, refreshToken };
}
