import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code } from "@connectrpc/connect";
import { fromCallFailure } from "../../../common/platform/rpc/call-failure.ts";
import type {
  AuthorizationService,
  IssueTokensRequestSchema,
  IssueTokensResponse,
  TokenAnswer,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { isRefused } from "./auth-failure.ts";

export type TokenRequest = MessageInitShape<typeof IssueTokensRequestSchema>;
export type TokenResult = IssueTokensResponse["result"];

type TokenClient = Pick<Client<typeof AuthorizationService>, "issueTokens" | "batchIssueTokens">;

interface Waiting {
  readonly request: TokenRequest;
  readonly resolve: (result: TokenResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Bound of `BatchIssueTokensRequest.requests` by the contract. */
const MAX_BATCH = 64;
/** The longest time for which a request waits for others while a call is under way. Milliseconds. */
const GATHER_MS = 1;
/**
 * Errors of a batch of which no request was handled: one breaks a rule, the batch is too large, or the service is
 * older and has no batches.
 */
const WHOLLY_REFUSED = [Code.InvalidArgument, Code.ResourceExhausted, Code.Unimplemented];

/**
 * Sends the token requests that arrive together in one call, since a call costs both sides more than its content. Those that
 * arrive in one tick of the event loop do, and while a call is under way those that arrive until its answer, but for
 * `GATHER_MS` at most: so a lone request waits for nobody, and none for a slow one. Each gets the answer that it would get
 * alone.
 */
export class TokenRequests {
  readonly #client: TokenClient;
  #waiting: Waiting[] = [];
  #callsUnderWay = 0;
  #atEndOfTick: NodeJS.Immediate | undefined;
  #atLatest: NodeJS.Timeout | undefined;

  constructor(client: TokenClient) {
    this.#client = client;
  }

  /** @throws ConnectError */
  issue(request: TokenRequest): Promise<TokenResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#callsUnderWay === 0) this.#sendAfterTick();
      else this.#atLatest ??= setTimeout(() => this.#send(), GATHER_MS);
    });
  }

  #sendAfterTick(): void {
    this.#atEndOfTick ??= setImmediate(() => this.#send());
  }

  #send(): void {
    clearImmediate(this.#atEndOfTick);
    clearTimeout(this.#atLatest);
    this.#atEndOfTick = undefined;
    this.#atLatest = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += MAX_BATCH) {
      void this.#call(waiting.slice(from, from + MAX_BATCH));
    }
  }

  async #call(batch: readonly Waiting[]): Promise<void> {
    this.#callsUnderWay += 1;
    await this.#sendTogether(batch);
    this.#callsUnderWay -= 1;
    if (this.#callsUnderWay === 0 && this.#waiting.length > 0) this.#sendAfterTick();
  }

  async #sendTogether(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 1) return this.#sendEach(batch);
    try {
      const { answers } = await this.#client.batchIssueTokens({ requests: batch.map(({ request }) => request) });
      for (const [index, { resolve, reject }] of batch.entries()) settle(answers[index], resolve, reject);
    } catch (error) {
      if (isRefused(error, ...WHOLLY_REFUSED)) return this.#sendEach(batch);
      for (const { reject } of batch) reject(error);
    }
  }

  async #sendEach(batch: readonly Waiting[]): Promise<void> {
    await Promise.all(batch.map((waiting) => this.#sendAlone(waiting)));
  }

  async #sendAlone({ request, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve((await this.#client.issueTokens(request)).result);
    } catch (error) {
      reject(error);
    }
  }
}

function settle(answer: TokenAnswer | undefined, resolve: Waiting["resolve"], reject: Waiting["reject"]): void {
  if (answer === undefined) reject(new TypeError("BatchIssueTokensResponse.answers lacks one"));
  else if (answer.result.case === "failure") reject(fromCallFailure(answer.result.value));
  else resolve(answer.result);
}
