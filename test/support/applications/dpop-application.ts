import {
  type ProofClaims,
  type TestProver,
  testProver,
  tokenHash,
} from "../../../common/platform/testing/test-prover.ts";
import { type AuthFixture, ISSUER } from "../processes/auth-fixture.ts";
import { type EndpointAnswer, endpointAnswer, queryOf, type WebApplication } from "./web-application.ts";

/** Changes to a valid proof. Undefined claims and header parameters are left out. */
export interface ProofChanges {
  readonly claims?: Partial<ProofClaims>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** The part of a service and its gateway that proofs are about. */
export interface ProvedWeb {
  readonly origin: string;
  readonly service: Pick<AuthFixture, "time" | "as">;
}

const TOKEN_PATH = "/oauth/token";
const PUSH_PATH = "/oauth/par";
const USERINFO_PATH = "/oauth/userinfo";

/** An application that proves its key (RFC 9449) without a library, so that it can also break the rules. */
export class DpopApplication {
  readonly application: WebApplication;
  readonly prover: TestProver;
  readonly #web: ProvedWeb;
  #nonce = "";

  constructor(web: ProvedWeb, application: WebApplication, prover: TestProver) {
    this.#web = web;
    this.application = application;
    this.prover = prover;
  }

  static async create(web: ProvedWeb, application: WebApplication): Promise<DpopApplication> {
    return new DpopApplication(web, application, await testProver());
  }

  /** The same application with another key. */
  async withOtherKey(): Promise<DpopApplication> {
    return DpopApplication.create(this.#web, this.application);
  }

  /** Takes a nonce for all later proofs, by the clock of auth: the gateway supplies one for seconds of its own clock. */
  async renewNonce(): Promise<string> {
    this.#nonce = (await this.#web.service.as("gateway").authorization.getDpopNonce({})).nonce;
    return this.#nonce;
  }

  async proof(method: string, path: string, { claims = {}, header = {} }: ProofChanges = {}): Promise<string> {
    if (this.#nonce === "") await this.renewNonce();
    const iat = Number(this.#web.service.time.now() / 1_000n);
    return this.prover.prove({ htm: method, htu: ISSUER + path, iat, nonce: this.#nonce, ...claims }, header);
  }

  /** The proof of a call with an access token. */
  accessProof(accessToken: string, method: string, path: string, changes: ProofChanges = {}): Promise<string> {
    return this.proof(method, path, { ...changes, claims: { ath: tokenHash(accessToken), ...changes.claims } });
  }

  /** Sends a token request with a proof of its own. */
  async token(sent: Parameters<typeof queryOf>[0], changes: ProofChanges = {}): Promise<EndpointAnswer> {
    return this.tokenWith(sent, await this.proof("POST", TOKEN_PATH, changes));
  }

  /** Sends a token request. @param proof the value of the header */
  tokenWith(sent: Parameters<typeof queryOf>[0], proof: string): Promise<EndpointAnswer> {
    const headers = { "content-type": "application/x-www-form-urlencoded", dpop: proof };
    return this.application.post(TOKEN_PATH, queryOf(sent), headers);
  }

  /** Pushes an authorization request with a proof (RFC 9449 section 10.1). */
  async push(sent: Parameters<typeof queryOf>[0], changes: ProofChanges = {}): Promise<EndpointAnswer> {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      dpop: await this.proof("POST", PUSH_PATH, changes),
    };
    return this.application.post(PUSH_PATH, queryOf(sent), headers);
  }

  exchange(code: string, changes: ProofChanges = {}): Promise<EndpointAnswer> {
    return this.token(this.application.exchangeParameters(code), changes);
  }

  refresh(refreshToken: string, changes: ProofChanges = {}): Promise<EndpointAnswer> {
    return this.token(this.application.refreshParameters(refreshToken), changes);
  }

  async userInfo(accessToken: string, changes: ProofChanges = {}): Promise<EndpointAnswer> {
    const dpop = await this.accessProof(accessToken, "GET", USERINFO_PATH, changes);
    return this.userInfoWith({ authorization: `DPoP ${accessToken}`, dpop });
  }

  /** Calls an operation for a user. */
  call(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<EndpointAnswer> {
    return this.application.post(path, JSON.stringify(body), { "content-type": "application/json", ...headers });
  }

  /** The headers of a call by POST with an access token. */
  async accessHeaders(accessToken: string, path: string, changes: ProofChanges = {}): Promise<Record<string, string>> {
    const dpop = await this.accessProof(accessToken, "POST", path, changes);
    return { authorization: `DPoP ${accessToken}`, dpop };
  }

  async userInfoWith(headers: HeadersInit): Promise<EndpointAnswer> {
    return endpointAnswer(await fetch(this.#web.origin + USERINFO_PATH, { headers }));
  }
}
