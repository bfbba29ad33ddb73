import type { TokenSet } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { REFRESH_GRACE_MS } from "../../../services/auth/base/lifetimes.ts";
import { type Application, errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { persist } from "./persist.ts";

type Answer = Awaited<ReturnType<Application["exchange"]>>;

const MOST_REFRESHES = 6;

export interface TokenUserOptions {
  readonly application: Pick<Application, "code" | "exchange" | "refresh">;
  /** Empty if the application itself has its user's browser. */
  readonly sessionToken: string;
  readonly random: Random;
  /** Called for every call that is sent. */
  readonly onSend: () => void;
  /** One in this many codes is sent twice at the same time; none by default. */
  readonly codesPerDouble?: number;
}

/** A user who repeatedly gets tokens, with an application that handles lost responses correctly. */
export class TokenUser {
  /** The tokens received for each code, and for each refresh token. */
  readonly exchanged: { readonly code: string; readonly tokens: TokenSet }[] = [];
  readonly refreshed: { readonly presented: string; readonly tokens: TokenSet }[] = [];
  /** The number of codes that were used up by an exchange whose response was lost. */
  lostCodes = 0;
  /** The number of codes that were sent twice at the same time. */
  doubledCodes = 0;
  /** The number of refreshes that were sent again because their response was lost. */
  repeatedRefreshes = 0;
  readonly #options: TokenUserOptions;

  constructor(options: TokenUserOptions) {
    this.#options = options;
  }

  async workUntil(over: AbortSignal): Promise<void> {
    while (!over.aborted) await this.flow();
  }

  /** Authorizes the application anew, gets tokens and refreshes them some times. */
  async flow(): Promise<void> {
    const tokens = await this.#exchange();
    if (tokens === undefined) return;
    let { refreshToken } = tokens;
    const refreshes = this.#options.random.integer(0, MOST_REFRESHES);
    for (let i = 0; i < refreshes; i += 1) refreshToken = await this.#refresh(refreshToken);
  }

  /** Exchanges a new code. @returns undefined if the code was used up by an exchange whose response was lost */
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

  /** Sends a code twice. At most one exchange gets tokens, and they are revoked, because the second sender may be a thief. */
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

  /** Refreshes. Within the grace period a lost response loses nothing. */
  async #refresh(presented: string): Promise<string> {
    const begin = performance.now();
    const { result, attempts } = await this.#persist<Answer>(() => this.#options.application.refresh(presented));
    if (attempts > 1) this.repeatedRefreshes += 1;
    if (errorIn(result) !== "" && performance.now() - begin > Number(REFRESH_GRACE_MS)) return this.#restart();
    const tokens = tokensIn(result);
    this.refreshed.push({ presented, tokens });
    return tokens.refreshToken;
  }

  async #restart(): Promise<string> {
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
