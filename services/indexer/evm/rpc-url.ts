import { Buffer } from "node:buffer";
import { Slots } from "../slots.ts";
import { BodyTooLarge, readBoundedText } from "./bounded-body.ts";
import { type JsonRpcError, kindOfRpcError, kindOfStatus, retryAfterMs, safeWords } from "./failure-kind.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** A node answers with the chunk that it was asked for; 2,000 rows of 60 amounts each are 24 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const ADVICE: Partial<Record<RpcFaultKind, string>> = {
  unauthorised: ": set a URL with a valid key",
  wrong_url: ": set the URL of a JSON-RPC node",
};

export interface RpcUrlOptions {
  readonly chainId: number;
  /** Requests at once. */
  readonly maxConcurrency: number;
  readonly requestTimeoutMs: number;
}

/** JSON-RPC 2.0 over HTTP at one URL, bounded in time, bytes and requests at once. */
export class RpcUrl {
  /** The only part of the URL that may be shown. */
  readonly host: string;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: RpcUrlOptions;
  readonly #slots: Slots;
  #nextId = 1;
  #chainIsRight: Promise<void> | undefined;

  /** @throws TypeError for text that is no URL. */
  constructor(url: string, options: RpcUrlOptions) {
    const { origin, pathname, search, host, username, password } = new URL(url);
    this.host = host;
    this.#url = `${origin}${pathname}${search}`;
    this.#headers = { "content-type": "application/json", ...authorization(username, password) };
    this.#options = options;
    this.#slots = new Slots(options.maxConcurrency);
  }

  /**
   * The result of a call, of whatever type. The chain ID is checked before the first one.
   *
   * @throws RpcFault; the signal's reason once that is aborted.
   */
  async call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    this.#chainIsRight ??= this.#checkChain(signal);
    try {
      await this.#chainIsRight;
    } catch (error) {
      this.#chainIsRight = undefined;
      signal.throwIfAborted();
      throw asFault(error, this.host);
    }
    return this.#call(method, params, signal);
  }

  async #checkChain(signal: AbortSignal): Promise<void> {
    const { chainId } = this.#options;
    const answer = await this.#call("eth_chainId", [], signal);
    if (typeof answer === "string" && /^0x[0-9a-f]{1,16}$/i.test(answer) && BigInt(answer) === BigInt(chainId)) return;
    const actual = typeof answer === "string" ? safeWords(answer) : "nothing readable";
    const words = `it says that its chain ID is ${actual}, not ${chainId}: set the URL of a node of the right chain`;
    throw new RpcFault("wrong_url", `${this.host}: ${words}`);
  }

  async #call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#slots.run(async () => {
      const expiry = AbortSignal.timeout(this.#options.requestTimeoutMs);
      try {
        return await this.#exchange(method, params, AbortSignal.any([signal, expiry]));
      } catch (error) {
        signal.throwIfAborted();
        if (expiry.aborted) throw this.#fault("timeout", `no answer within ${this.#options.requestTimeoutMs} ms`);
        throw asFault(error, this.host);
      }
    }, signal);
  }

  async #exchange(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const id = this.#nextId++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const init = { method: "POST", headers: this.#headers, body, signal, redirect: "manual" } as const;
    const response = await fetch(this.#url, init);
    const text = await this.#text(response);
    const answer = parseObject(text);
    if (response.status !== 200 && answer?.["error"] === undefined) throw this.#statusFault(response);
    if (answer === undefined) throw this.#fault("unavailable", "its answer is no complete JSON");
    if (answer["error"] !== undefined && answer["error"] !== null) throw this.#errorFault(answer["error"], response);
    if (answer["id"] !== id || !("result" in answer)) throw this.#fault("unavailable", "its answer is no JSON-RPC 2.0");
    return answer["result"];
  }

  async #text(response: Response): Promise<string> {
    try {
      return await readBoundedText(response, MAX_RESPONSE_BYTES);
    } catch (error) {
      if (error instanceof BodyTooLarge) throw this.#fault("too_large", `its answer has ${error.message}`);
      throw error;
    }
  }

  #statusFault(response: Response): RpcFault {
    const { status } = response;
    const kind = kindOfStatus(status);
    return this.#fault(kind, `it answered with HTTP status ${status}${ADVICE[kind] ?? ""}`, response);
  }

  #errorFault(error: unknown, response: Response): RpcFault {
    const { code, message } = rpcErrorOf(error);
    const byStatus = response.status === 200 ? undefined : kindOfStatus(response.status);
    const kind = byStatus === undefined || byStatus === "unavailable" ? kindOfRpcError({ code, message }) : byStatus;
    return this.#fault(kind, `it answered with error ${code}, ${safeWords(message)}`, response);
  }

  #fault(kind: RpcFaultKind, words: string, response?: Response): RpcFault {
    const wait = response && retryAfterMs(response.headers.get("retry-after"), Date.now());
    return new RpcFault(kind, `${this.host}: ${words}`, wait === undefined ? {} : { retryAfterMs: wait });
  }
}

/** `fetch` refuses URLs with credentials; they travel as RFC 7617 says. */
function authorization(username: string, password: string): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** The error itself may name the whole URL: nothing of it is passed on but the code. */
function asFault(error: unknown, host: string): RpcFault {
  if (error instanceof RpcFault) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? ` (${safeWords(String(cause.code))})` : "";
  return new RpcFault("unavailable", `${host}: it can't be reached or broke off${code}`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function rpcErrorOf(error: unknown): JsonRpcError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Partial<JsonRpcError>;
  return { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "no words" };
}
