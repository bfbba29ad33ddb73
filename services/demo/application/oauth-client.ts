import {
  type Application,
  beginSignIn,
  exchangeCode,
  readCallback,
  refreshTokens,
  revokeToken,
  type SignInAttempt,
  type Tokens,
} from "../../../client/index.ts";
import { type RecordCall, tracedFetch } from "./traced-fetch.ts";

/** A prepared authorization request. Only the browser that it was made for may complete it. */
export interface PreparedAuthorization {
  /** The authorization URL that the browser opens. */
  readonly url: string;
  readonly attempt: SignInAttempt;
}

/** A public OAuth 2.0 client that records what it sends. */
export class OAuthClient {
  readonly #application: Application;

  constructor(application: Omit<Application, "fetch">) {
    this.#application = application;
  }

  /** Prepares an authorization request. It names no scope, which asks for every scope of the client. */
  prepare(): Promise<PreparedAuthorization> {
    return beginSignIn(this.#application);
  }

  /**
   * Checks that the callback's `state` and `iss` match the request, then exchanges its code for tokens.
   *
   * @throws TidemarkError saying what was wrong, or that the user refused
   */
  async exchange(callback: URL, { attempt }: PreparedAuthorization, record: RecordCall): Promise<Tokens> {
    const application = this.#traced(record);
    return exchangeCode(application, readCallback(application, callback, attempt), attempt);
  }

  /** Gets new tokens for the refresh token, which can't be used again. */
  refresh({ refresh_token: refreshToken }: Tokens, record: RecordCall): Promise<Tokens> {
    return refreshTokens(this.#traced(record), refreshToken);
  }

  /** Asks who the user is. @throws Error for any answer but a success */
  async userInfo({ access_token: accessToken }: Tokens, record: RecordCall): Promise<void> {
    const url = new URL("/oauth/userinfo", this.#application.issuer).href;
    const answer = await tracedFetch(record)(url, { headers: { authorization: `Bearer ${accessToken}` } });
    if (!answer.ok) throw new Error(`the answer has status ${answer.status}`);
  }

  /** Revokes every token of the sign-in. */
  revoke({ refresh_token: refreshToken }: Tokens, record: RecordCall): Promise<void> {
    return revokeToken(this.#traced(record), refreshToken);
  }

  #traced(record: RecordCall): Application {
    return { ...this.#application, fetch: tracedFetch(record) };
  }
}
