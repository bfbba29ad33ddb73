import { createHash, randomBytes } from "node:crypto";
import type { Client as RpcClient } from "@connectrpc/connect";
import type {
  AuthorizationService,
  AuthorizationStep,
  IssueTokensResponse,
  PushAuthorizationRequestResponse,
  TokenSet,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Client } from "../applications/application.ts";
import { insertClient } from "../applications/applications-store.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { ensureSaleAccess } from "../memberships/sale-access-store.ts";

/** Parameters by name. A list sends the parameter once for each value; an empty list omits it. */
export type SentParameters = Readonly<Record<string, string | readonly string[]>>;

/** The state of one authorization in the application and the browser. */
export interface Attempt {
  readonly codeVerifier: string;
  readonly browserToken: string;
  readonly step: AuthorizationStep["step"];
}

/** A request that is stored, with the verifier of its challenge. */
export interface PushedRequest {
  readonly requestUri: string;
  readonly expiresInSeconds: number;
  readonly codeVerifier: string;
}

/** An application with the browser of a user who has signed in. */
export class Application {
  readonly client: Client;
  readonly #authorization: RpcClient<typeof AuthorizationService>;
  readonly #verifier: RpcClient<typeof AuthorizationService>;

  /** @param verifier a caller that may introspect tokens, where the first one may not */
  constructor(
    authorization: RpcClient<typeof AuthorizationService>,
    client: Client,
    verifier: RpcClient<typeof AuthorizationService> = authorization,
  ) {
    this.#authorization = authorization;
    this.#verifier = verifier;
    this.client = client;
  }

  /** Begins an authorization with a valid request, some parameters changed. */
  async begin(sessionToken: string, changes: SentParameters = {}, browserToken = newToken()): Promise<Attempt> {
    const codeVerifier = newToken();
    const parameters = this.#requestOf(codeVerifier, changes);
    const { step } = await this.#authorization.beginAuthorization({ parameters, browserToken, sessionToken });
    return { codeVerifier, browserToken, step: step?.step ?? { case: undefined } };
  }

  /** Pushes a valid request, some parameters changed. @throws if it is refused. */
  async pushed(changes: SentParameters = {}): Promise<PushedRequest> {
    const codeVerifier = newToken();
    const { case: kind, value } = await this.#push(this.#requestOf(codeVerifier, changes));
    if (kind !== "pushed") throw new Error(`not pushed: ${value?.error} ${value?.errorDescription}`);
    return { ...value, codeVerifier };
  }

  /** Pushes a request, some parameters changed. @returns the error code; empty if it was stored. */
  async pushError(changes: SentParameters = {}): Promise<string> {
    const { case: kind, value } = await this.#push(this.#requestOf(newToken(), changes));
    return kind === "error" ? value.error : "";
  }

  /** Begins an authorization from a pushed request. */
  async beginPushed(
    sessionToken: string,
    requestUri: string,
    changes: SentParameters = {},
    browserToken = newToken(),
  ): Promise<Attempt> {
    const parameters = parametersOf({ client_id: this.client.uuid, request_uri: requestUri, ...changes });
    const { step } = await this.#authorization.beginAuthorization({ parameters, browserToken, sessionToken });
    return { codeVerifier: "", browserToken, step: step?.step ?? { case: undefined } };
  }

  /** @param repeats whether an answered authorization begins again */
  async continue(
    { browserToken, step }: Attempt,
    sessionToken: string,
    repeats = false,
  ): Promise<AuthorizationStep["step"]> {
    const authorizationHandle = handleOf(step);
    const request = { authorizationHandle, browserToken, sessionToken, repeats };
    return stepIn(await this.#authorization.continueAuthorization(request));
  }

  /** Answers the consent page. By default, it grants all requested scopes. */
  async decide(
    { browserToken, step }: Attempt,
    sessionToken: string,
    answer: { readonly approve?: boolean; readonly scopes?: string[]; readonly accountUuid?: string } = {},
  ): Promise<AuthorizationStep["step"]> {
    const asked = step.case === "consent" ? step.value : undefined;
    const { approve = true, scopes = asked?.scopes.map(({ scope }) => scope) ?? [] } = answer;
    const accountUuid = answer.accountUuid ?? asked?.accountUuid ?? "";
    const authorizationHandle = handleOf(step);
    const decision = { authorizationHandle, browserToken, sessionToken, accountUuid, approve, scopes };
    return stepIn(await this.#authorization.decideConsent(decision));
  }

  /** Gets a code with its verifier. The user consents if asked. */
  async code(sessionToken: string, changes: SentParameters = {}): Promise<{ code: string; codeVerifier: string }> {
    const attempt = await this.begin(sessionToken, changes);
    const step = attempt.step.case === "consent" ? await this.decide(attempt, sessionToken) : attempt.step;
    return { code: answerOf(step).get("code") ?? "", codeVerifier: attempt.codeVerifier };
  }

  /** Exchanges a code, with some parameters changed. */
  exchange(
    { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string },
    changes: SentParameters = {},
  ): Promise<IssueTokensResponse["result"]> {
    return this.#tokens({ grant_type: "authorization_code", code, code_verifier: codeVerifier, ...changes });
  }

  refresh(refreshToken: string, changes: SentParameters = {}): Promise<IssueTokensResponse["result"]> {
    return this.#tokens({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: this.client.uuid,
      ...changes,
    });
  }

  /** Gets tokens through a whole flow. */
  async tokens(sessionToken: string, changes: SentParameters = {}): Promise<TokenSet> {
    return tokensIn(await this.exchange(await this.code(sessionToken, changes)));
  }

  /** @returns the error code; empty if the token was revoked. */
  async revoke(token: string, changes: SentParameters = {}): Promise<string> {
    const { error } = await this.#authorization.revokeToken({ parameters: parametersOf({ token, ...changes }) });
    return error?.error ?? "";
  }

  /** Whether an access token is valid. Userinfo and introspection must agree. */
  async isValid(accessToken: string): Promise<boolean> {
    const { result } = await this.#authorization.getUserInfo({ accessToken });
    const { active } = await this.#verifier.introspectToken({ accessToken });
    if (active !== (result.case === "userInfo")) throw new Error("userinfo and introspection don't agree");
    return active;
  }

  #requestOf(codeVerifier: string, changes: SentParameters): { name: string; value: string }[] {
    const standard = {
      response_type: "code",
      client_id: this.client.uuid,
      redirect_uri: this.client.definition.redirectUris[0] ?? "",
      state: "a state",
      code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    };
    return parametersOf({ ...standard, ...changes });
  }

  async #push(parameters: { name: string; value: string }[]): Promise<PushAuthorizationRequestResponse["result"]> {
    return (await this.#authorization.pushAuthorizationRequest({ parameters })).result;
  }

  async #tokens(sent: SentParameters): Promise<IssueTokensResponse["result"]> {
    return (await this.#authorization.issueTokens({ parameters: parametersOf(sent) })).result;
  }
}

/** Inserts a client with its sale, without any checks. */
export async function seedClient(database: AuthDatabase, client: Client): Promise<void> {
  await ensureSaleAccess(database, client.saleUuid);
  await database.write((transaction) => insertClient(transaction, client));
}

export function parametersOf(sent: SentParameters): { name: string; value: string }[] {
  return Object.entries(sent).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}

/** The parameters that a redirect gives to the application. */
export function answerOf(step: AuthorizationStep["step"]): URLSearchParams {
  if (step.case !== "redirect") throw new Error(`the browser isn't sent back: ${step.case}`);
  return new URL(step.value.url).searchParams;
}

/** The tokens of a response. @throws if it is an error. */
export function tokensIn(result: IssueTokensResponse["result"]): TokenSet {
  if (result.case === "tokens") return result.value;
  throw new Error(`no tokens: ${result.value?.error} ${result.value?.errorDescription}`);
}

/** The error code of a response; empty if it has none. */
export function errorIn(result: IssueTokensResponse["result"]): string {
  return result.case === "error" ? result.value.error : "";
}

/** 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function stepIn({ step }: { readonly step?: AuthorizationStep | undefined }): AuthorizationStep["step"] {
  return step?.step ?? { case: undefined };
}

function handleOf(step: AuthorizationStep["step"]): string {
  if (step.case === "signIn" || step.case === "consent" || step.case === "chooseAccount") {
    return step.value.authorizationHandle;
  }
  throw new Error(`no page holds the authorization: ${step.case}`);
}
