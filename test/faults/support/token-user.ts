import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { TokenSet } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { REFRESH_GRACE_MS } from "../../../services/auth/domain/refresh-rotation.ts";
import { type Application, errorIn, tokensIn } from "../../../services/auth/testing/application.ts";
import type { Random } from "../../../services/demo/random.ts";

type Answer = Awaited<ReturnType<Application["exchange"]>>;

/** After these nobody knows whether the call was carried out. */
const UNKNOWN_OUTCOMES = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Canceled, Code.Unknown]);
const MOST_REFRESHES = 6;
const PAUSE_MS = 25;
const MAX_ATTEMPTS = 1_200;

export interface TokenUserOptions {
  readonly application: Application;
  readonly sessionToken: string;
  readonly random: Random;
  /** Is told of every call that is sent. */
  readonly onSend: () => void;
}

/** A user who gets tokens over and over, and does what a good application does when an answer is lost. */
export class TokenUser {
  /** What was answered to each code, and to each refresh token. */
  readonly exchanged: { readonly code: string; readonly tokens: TokenSet }[] = [];
  readonly refreshed: { readonly presented: string; readonly tokens: TokenSet }[] = [];
  /** Codes whose exchange had a lost answer and came to nothing. */
  lostCodes = 0;
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
    const { result, attempts } = await this.#persist(() => application.exchange(code));
    if (errorIn(result) === "invalid_grant" && attempts > 1) {
      this.lostCodes += 1;
      return undefined;
    }
    const tokens = tokensIn(result);
    this.exchanged.push({ code: code.code, tokens });
    return tokens;
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

  /** @throws the answer, where it is an error; the last failure when no answer comes. */
  async #persist<Result>(send: () => Promise<Result>): Promise<{ readonly result: Result; readonly attempts: number }> {
    for (let attempts = 1; ; attempts += 1) {
      this.#options.onSend();
      try {
        return { result: await send(), attempts };
      } catch (error) {
        if (!UNKNOWN_OUTCOMES.has(ConnectError.from(error).code) || attempts === MAX_ATTEMPTS) throw error;
      }
      await delay(PAUSE_MS);
    }
  }
}
