import * as oauth from "oauth4webapi";
import { type RecordCall, tracedFetch } from "./traced-fetch.ts";

export interface OAuthClientOptions {
  /** `AUTH_URL`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A prepared authorization request. Only the browser that it was made for may complete it. */
export interface PreparedAuthorization {
  /** The authorization URL that the browser opens. */
  readonly url: string;
  readonly state: string;
  /** PKCE's secret (RFC 7636). The URL holds only its hash. */
  readonly codeVerifier: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A public OAuth 2.0 client, built on `oauth4webapi`. */
export class OAuthClient {
  readonly #options: OAuthClientOptions;
  readonly #client: oauth.Client;
  #server: Promise<oauth.AuthorizationServer> | undefined;

  constructor(options: OAuthClientOptions) {
    this.#options = options;
    this.#client = { client_id: options.clientId };
  }

  /** Prepares an authorization request with PKCE. It names no scope, which asks for every scope of the client. */
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
   * Checks that the callback's `state` and `iss` match the request, then exchanges its code for tokens.
   *
   * @throws Error saying what was wrong, or that the user refused.
   */
  async exchange(callback: URL, prepared: PreparedAuthorization, record: RecordCall): Promise<Tokens> {
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

  /** Gets new tokens for the refresh token, which can't be used again. */
  async refresh({ refreshToken }: Tokens, record: RecordCall): Promise<Tokens> {
    const server = await this.#metadata();
    const options = callOptions(record);
    const answer = await oauth.refreshTokenGrantRequest(server, this.#client, oauth.None(), refreshToken, options);
    return tokensOf(await oauth.processRefreshTokenResponse(server, this.#client, answer));
  }

  async userInfo({ accessToken }: Tokens, record: RecordCall): Promise<void> {
    const server = await this.#metadata();
    const answer = await oauth.userInfoRequest(server, this.#client, accessToken, callOptions(record));
    await oauth.processUserInfoResponse(server, this.#client, oauth.skipSubjectCheck, answer);
  }

  /** Revokes every token of the sign-in. */
  async revoke({ refreshToken }: Tokens, record: RecordCall): Promise<void> {
    const server = await this.#metadata();
    const options = callOptions(record);
    const answer = await oauth.revocationRequest(server, this.#client, oauth.None(), refreshToken, options);
    await oauth.processRevocationResponse(answer);
  }

  /** The server's metadata, fetched once, and again after a failure. */
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

/** Allows `http:`, because the demo's Tidemark is on this machine. */
function callOptions(record: RecordCall) {
  return { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: tracedFetch(record) };
}

function tokensOf({
  access_token: accessToken,
  refresh_token: refreshToken = "",
}: oauth.TokenEndpointResponse): Tokens {
  return { accessToken, refreshToken };
}
