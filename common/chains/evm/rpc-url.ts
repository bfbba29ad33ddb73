import { Semaphore } from "../../platform/concurrency/semaphore.ts";
import { isSuccess, JsonRpcUrl, type PostAnswer, PostFailure } from "../nodes/json-rpc-url.ts";
import { type JsonRpcError, kindOfAnswer, kindOfStatus, redactedMessage } from "./failure-kind.ts";
import type { NodeTime } from "./node-time.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Large enough for any chunk: 2,000 rows of 60 amounts each are 24 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const ADVICE: Partial<Record<RpcFaultKind, string>> = {
  unauthorised: ": set a URL with a valid key",
  wrong_url: ": set the URL of a JSON-RPC node",
};

const KIND_OF_FAILURE: Readonly<Record<PostFailure["kind"], RpcFaultKind>> = {
  timeout: "timeout",
  too_large: "too_large",
  unreachable: "unavailable",
};

export interface RpcUrlOptions {
  readonly chainId: number;
  /** Most concurrent requests. */
  readonly maxConcurrency: number;
  readonly requestTimeoutMs: number;
}

/** JSON-RPC 2.0 of an Ethereum node at one URL, bounded in time, bytes and concurrent requests. */
export class RpcUrl {
  readonly #url: JsonRpcUrl;
  readonly #chainId: number;
  readonly #semaphore: Semaphore;
  #nextId = 1;
  #chainIsRight: Promise<void> | undefined;

  /** Errors are those of `JsonRpcUrl`. */
  constructor(url: string, { chainId, maxConcurrency, requestTimeoutMs }: RpcUrlOptions) {
    this.#url = new JsonRpcUrl(url, { requestTimeoutMs, maxAnswerBytes: MAX_RESPONSE_BYTES });
    this.#chainId = chainId;
    this.#semaphore = new Semaphore(maxConcurrency);
  }

  /** The only part of the URL that may be shown. */
  get host(): string {
    return this.#url.host;
  }

  /**
   * The result of a call. The chain ID is checked before the first one, and before the next one after `recheck`.
   *
   * @param nodeTime measures the time of the request itself.
   * @throws RpcFault; the signal's reason once that is aborted.
   */
  async call(method: string, params: readonly unknown[], signal: AbortSignal, nodeTime?: NodeTime): Promise<unknown> {
    const check = this.#chainIsRight ?? this.#checkChain(signal);
    this.#chainIsRight = check;
    try {
      await check;
    } catch (error) {
      if (this.#chainIsRight === check) this.#chainIsRight = undefined;
      signal.throwIfAborted();
      // Callers share the check, and another caller's signal may have ended it.
      throw error instanceof RpcFault ? error : this.#fault("unavailable", "the check of its chain ID was interrupted");
    }
    return this.#call(method, params, signal, nodeTime);
  }

  /** Forgets what was checked, because another chain may be behind the URL now: the next call asks again. */
  recheck(): void {
    this.#chainIsRight = undefined;
  }

  async #checkChain(signal: AbortSignal): Promise<void> {
    const answer = await this.#call("eth_chainId", [], signal);
    if (isChainId(answer) && BigInt(answer) === BigInt(this.#chainId)) return;
    const problem = `it says that its chain ID is ${chainIdText(answer)}, not ${this.#chainId}`;
    throw this.#fault("wrong_url", `${problem}: set the URL of a node of the right chain`);
  }

  #call(method: string, params: readonly unknown[], signal: AbortSignal, nodeTime?: NodeTime): Promise<unknown> {
    const ask = async () => {
      const id = this.#nextId++;
      const answer = await this.#post(JSON.stringify({ jsonrpc: "2.0", id, method, params }), signal);
      return this.#result(answer, id);
    };
    return this.#semaphore.run(() => nodeTime?.count(ask) ?? ask(), signal);
  }

  async #post(body: string, signal: AbortSignal): Promise<PostAnswer> {
    try {
      return await this.#url.post(body, signal);
    } catch (error) {
      if (!(error instanceof PostFailure)) throw error;
      throw this.#fault(KIND_OF_FAILURE[error.kind], error.message);
    }
  }

  #result(answer: PostAnswer, id: number): unknown {
    const { status, body } = answer;
    const error = body?.["error"];
    if (error !== undefined && error !== null) throw this.#errorFault(error, answer);
    if (!isSuccess(status)) throw this.#statusFault(answer);
    if (body === undefined) throw this.#fault("unavailable", "its answer isn't complete JSON");
    if (body["id"] !== id || !("result" in body)) throw this.#fault("unavailable", "its answer isn't JSON-RPC 2.0");
    return body["result"];
  }

  #statusFault(answer: PostAnswer): RpcFault {
    const { status } = answer;
    const kind = kindOfStatus(status);
    return this.#fault(kind, `it answered with HTTP status ${status}${ADVICE[kind] ?? ""}`, answer);
  }

  #errorFault(error: unknown, answer: PostAnswer): RpcFault {
    const { code, message } = rpcErrorOf(error);
    return this.#fault(
      kindOfAnswer(answer.status, { code, message }),
      `it answered with error ${code}, ${redactedMessage(this.#url.redactSecrets(message))}`,
      answer,
    );
  }

  #fault(kind: RpcFaultKind, problem: string, { retryAfterMs }: Partial<PostAnswer> = {}): RpcFault {
    return new RpcFault(kind, `${this.host}: ${problem}`, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
}

function rpcErrorOf(error: unknown): JsonRpcError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Partial<JsonRpcError>;
  return { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "no message" };
}

function isChainId(answer: unknown): answer is string {
  return typeof answer === "string" && /^0x[0-9a-f]{1,16}$/i.test(answer);
}

/** Returns a node's chain ID as people write it; an answer that is none as it is. */
function chainIdText(answer: unknown): string {
  if (isChainId(answer)) return BigInt(answer).toString();
  return typeof answer === "string" ? redactedMessage(answer) : "nothing readable";
}
