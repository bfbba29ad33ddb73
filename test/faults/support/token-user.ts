import type { TokenSet } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { type Application, errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import { REFRESH_GRACE_MS } from "../../../services/auth/tokens/refresh-rotation.ts";
import type { Random } from "../../../services/demo/random.ts";
import { persist } from "./persist.ts";

type Answer = Awaited<ReturnType<Application["exchange"]>>;

const MOST_REFRESHES = 6;

export interface TokenUserOptions {
  readonly application: Pick<Application, "code" | "exchange" | "refresh">;
  /** Empty where the application itself has the browser of its user. */
  readonly sessionToken: string;
  readonly random: Random;
  /** Is told of every call that is sent. */
  readonly onSend: () => void;
  /** Of so many codes one is sent twice at once; none by default. */
  readonly codesPerDouble?: number;
}

/** A user who gets tokens over and over, and does what a good application does when an answer is lost. */
export class TokenUser {
  /** What was answered to each code, and to each refresh token. */
  readonly exchanged: { readonly code: string; readonly tokens: TokenSet }[] = [];
  readonly refreshed: { readonly presented: string; readonly tokens: TokenSet }[] = [];
  /** Codes whose exchange had a lost answer and came to nothing. */
  lostCodes = 0;
  /** Codes that were sent twice at once. */
  doubledCodes = 0;
  /** Refreshes that were sent again, as their answer was lost. */
  repeatedRefreshes = 0;
  readonly #options: TokenUserOptions;

  constructor(options: TokenUserOptions) {
    this.#options = options;
  }

  async workUntil(over: AbortSignal): Promise<void> {
    while (!over.aborted) await this.flow();
  }

  /** A new authorization, with which tokens are got and refreshed some times. */
  async flow(): Promise<void> {
    const tokens = await this.#exchange();
    if (tokens === undefined) return;
    let { refreshToken } = tokens;
    const refreshes = this.#options.random.integer(0, MOST_REFRESHES);
    for (let i = 0; i < refreshes; i += 1) refreshToken = await this.#refresh(refreshToken);
  }

  /** @returns undefined where the code was used up by an exchange whose answer was lost. */
  async #exchange(): Promise<TokenSet | undefined> {
    const { application, sessionToken } = this.#options;
    const { result: code } = await this.#persist(() => application.code(sessionToken));
    if (this.#isDoubled()) return this.#exchangeTwice(code);
    const { result, attempts } = await this.#persist(() => application.exchange(code));
    if (errorIn(result) === "invalid_grant" && attempts > 1) {
      this.lostCodes += 1;
      return undefined;
    }
    const tokens = tokensIn(result);
    this.exchanged.push({ code: code.code, tokens });
    return tokens;
  }

  #isDoubled(): boolean {
    const { random, codesPerDouble } = this.#options;
    return codesPerDouble !== undefined && random.integer(1, codesPerDouble) === 1;
  }

  /** Of two who bring a code at once one gets tokens at most, and those are worth nothing: the second one may be a thief. */
  async #exchangeTwice(code: { readonly code: string; readonly codeVerifier: string }): Promise<undefined> {
    const { application } = this.#options;
    const exchange = () => this.#persist(() => application.exchange(code));
    const answers = (await Promise.all([exchange(), exchange()])).map(({ result }) => result);
    this.doubledCodes += 1;
    const given = answers.filter((answer) => errorIn(answer) === "").map(tokensIn);
    if (given.length > 1) throw new Error("a code was redeemed twice");
    for (const tokens of given) {
      this.exchanged.push({ code: code.code, tokens });
      const { result } = await this.#persist(() => application.refresh(tokens.refreshToken));
      if (errorIn(result) !== "invalid_grant") throw new Error("tokens outlived the second use of their code");
    }
  }

  /** A lost answer is no loss within the grace. */
  async #refresh(presented: string): Promise<string> {
    const begin = performance.now();
    const { result, attempts } = await this.#persist<Answer>(() => this.#options.application.refresh(presented));
    if (attempts > 1) this.repeatedRefreshes += 1;
    if (errorIn(result) !== "" && performance.now() - begin > Number(REFRESH_GRACE_MS)) return this.#startAnew();
    const tokens = tokensIn(result);
    this.refreshed.push({ presented, tokens });
    return tokens.refreshToken;
  }

  async #startAnew(): Promise<string> {
    for (;;) {
      const tokens = await this.#exchange();
      if (tokens !== undefined) return tokens.refreshToken;
    }
  }

  #persist<Result>(send: () => Promise<Result>) {
    return persist(() => {
      this.#options.onSend();
      return send();
    });
  }
}
