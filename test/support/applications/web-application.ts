import { createHash } from "node:crypto";
import type { PageBrowser, ShownPage } from "../../../gateway/testing/page-browser.ts";
import type { Client } from "../../../services/auth/applications/application.ts";
import { newToken, parametersOf, type SentParameters } from "../../../services/auth/testing/application.ts";

/** A response of the token, revocation or userinfo endpoint. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** The `error` of the body; empty if it has none. */
  readonly error: string;
}

export interface WebTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export const CONSENT = "/oauth/consent";

/** An application that speaks OAuth without a library, so that it can also break its rules. It always uses the same `code_verifier`. */
export class WebApplication {
  readonly client: Client;
  readonly codeVerifier = newToken();
  readonly codeChallenge = createHash("sha256").update(this.codeVerifier).digest("base64url");
  readonly #origin: string;

  /** @param origin the origin of the gateway. */
  constructor(origin: string, client: Client) {
    this.#origin = origin;
    this.client = client;
  }

  get redirectUri(): string {
    return this.client.definition.redirectUris[0] ?? "";
  }

  /** The path of a valid authorization request, with some parameters changed; an empty list omits one. */
  authorizePath(changes: SentParameters = {}): string {
    return `/oauth/authorize?${queryOf({ ...this.authorizeParameters(), ...changes })}`;
  }

  /** The parameters of a valid authorization request. */
  authorizeParameters(): SentParameters {
    return {
      response_type: "code",
      client_id: this.client.uuid,
      redirect_uri: this.redirectUri,
      state: "a state",
      code_challenge: this.codeChallenge,
      code_challenge_method: "S256",
    };
  }

  authorize(browser: PageBrowser, changes: SentParameters = {}): Promise<ShownPage> {
    return browser.open(this.authorizePath(changes));
  }

  /** Gets a code. If asked, the user grants the required scopes. */
  async code(browser: PageBrowser, changes: SentParameters = {}): Promise<string> {
    const shown = await this.authorize(browser, changes);
    const isAsked = shown.html.includes(`action="${CONSENT}"`);
    const answer = isAsked ? await allow(browser, shown) : shown;
    const code = answerOf(answer).get("code");
    if (code === null) throw new Error(`no code: ${answer.leftTo}`);
    return code;
  }

  /** Exchanges a code, with some parameters changed. */
  exchange(code: string, changes: SentParameters = {}): Promise<EndpointAnswer> {
    return this.token(this.exchangeParameters(code, changes));
  }

  exchangeParameters(code: string, changes: SentParameters = {}): SentParameters {
    return {
      grant_type: "authorization_code",
      code,
      code_verifier: this.codeVerifier,
      client_id: this.client.uuid,
      redirect_uri: this.redirectUri,
      ...changes,
    };
  }

  /** Refreshes tokens, with some parameters changed. */
  refresh(refreshToken: string, changes: SentParameters = {}): Promise<EndpointAnswer> {
    return this.token(this.refreshParameters(refreshToken, changes));
  }

  refreshParameters(refreshToken: string, changes: SentParameters = {}): SentParameters {
    return { grant_type: "refresh_token", refresh_token: refreshToken, client_id: this.client.uuid, ...changes };
  }

  token(sent: SentParameters): Promise<EndpointAnswer> {
    return this.post("/oauth/token", queryOf(sent));
  }

  revoke(token: string, changes: SentParameters = {}): Promise<EndpointAnswer> {
    return this.post("/oauth/revoke", queryOf({ token, client_id: this.client.uuid, ...changes }));
  }

  async userInfo(accessToken: string): Promise<EndpointAnswer> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return endpointAnswer(await fetch(`${this.#origin}/oauth/userinfo`, { headers }));
  }

  /** Gets tokens through a whole flow. */
  async tokens(browser: PageBrowser, changes: SentParameters = {}): Promise<WebTokens> {
    return tokensIn(await this.exchange(await this.code(browser, changes)));
  }

  async post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = { "content-type": "application/x-www-form-urlencoded" },
  ): Promise<EndpointAnswer> {
    return endpointAnswer(await fetch(this.#origin + path, { method: "POST", body, headers: { ...headers } }));
  }
}

/** Grants the required scopes on a consent page. */
export function allow(browser: PageBrowser, page: ShownPage): Promise<ShownPage> {
  return browser.send(page, { action: CONSENT, fields: { decision: "allow" } });
}

/** The parameters that a redirect gives to the application. */
export function answerOf({ leftTo, html }: ShownPage): URLSearchParams {
  if (leftTo === undefined) throw new Error(`the browser isn't sent back: ${html}`);
  return new URL(leftTo).searchParams;
}

export function tokensIn({ status, body }: EndpointAnswer): WebTokens {
  const { access_token: accessToken, refresh_token: refreshToken } = body;
  if (typeof accessToken === "string" && typeof refreshToken === "string") return { accessToken, refreshToken };
  throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`);
}

export function queryOf(sent: SentParameters): string {
  return new URLSearchParams(parametersOf(sent).map(({ name, value }): [string, string] => [name, value])).toString();
}

export async function endpointAnswer(answer: Response): Promise<EndpointAnswer> {
  const text = await answer.text();
  const body = text === "" ? {} : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body, error: body.error ?? "" };
}
