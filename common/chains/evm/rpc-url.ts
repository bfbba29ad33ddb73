import { abortedByAll } from "../../platform/concurrency/aborted-by-all.ts";
import { Semaphore } from "../../platform/concurrency/semaphore.ts";
import { untilAborted } from "../../platform/concurrency/until-aborted.ts";
import { isSuccess, JsonRpcUrl, type PostAnswer, PostFailure } from "../nodes/json-rpc-url.ts";
import { CallBatches, type RpcCall } from "./call-batches.ts";
import { type JsonRpcError, kindOfAnswer, kindOfStatus, redactedMessage } from "./failure-kind.ts";
import type { NodeTime } from "./node-time.ts";
import { type FaultScope, RpcFault, type RpcFaultKind, type RpcFaultOptions } from "./rpc-fault.ts";
import { type AskUrl, checkChain, probeUrl, type UrlAbilities } from "./url-probe.ts";

/** Large enough for any chunk: 2,000 rows of 60 amounts each are 24 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Longest time for which a URL is believed without a new probe. A balancer may replace the nodes behind it at any time. */
const PROBE_INTERVAL_MS = 30 * 60_000;
/** Longest time of a probe in limits of one request: a URL that answers each of its questions slowly is out of use no longer. */
const PROBE_LIMITS = 3;
/** Time until a probe that wasn't answered is made again. */
const RETRY_INTERVAL_MS = 60_000;

/** Statuses about all requests to the URL (RFC 9110, section 15). */
const STATUSES_OF_URL: ReadonlySet<number> = new Set([401, 407]);
const TOO_MANY_REQUESTS = 429;
/** Statuses of a proxy whose node is away. */
const STATUSES_OF_LOST_NODE: ReadonlySet<number> = new Set([502, 503]);

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
  /** Sends requests; the runtime's own `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Limit for all questions of a probe together. Three times that of a request by default. */
  readonly probeTimeoutMs?: number;
}

export interface CallOptions {
  /** Measures the time of the request itself. */
  readonly nodeTime?: NodeTime | undefined;
  /** Limit for the request itself, without the wait for its turn, if it is shorter than that of the URL. */
  readonly limitMs?: number | undefined;
  /** The contract that it is about, where the request itself doesn't name it. */
  readonly about?: string | undefined;
  /** Whether it may travel with others in a batch: its answer is small and quick (see `CallBatches`). */
  readonly isSmall?: boolean;
}

/** A probe that is under way, shared by callers. */
interface Probing {
  readonly outcome: Promise<void>;
  /** The signal of the caller that began it. */
  readonly endedBy: AbortSignal;
}

/** JSON-RPC 2.0 of an Ethereum node at one URL, bounded in time, bytes and concurrent requests. */
export class RpcUrl {
  readonly #url: JsonRpcUrl;
  readonly #chainId: number;
  readonly #semaphore: Semaphore;
  readonly #batches: CallBatches;
  readonly #probeTimeoutMs: number;
  #nextId = 1;
  readonly #now: () => number;
  #proven: { readonly abilities: UrlAbilities; readonly until: number; readonly doubts: number } | undefined;
  /** Number of doubts so far. A proof holds until the next one. */
  #doubts = 0;
  #probing: Probing | undefined;
  #problem: string | undefined;

  /** Errors are those of `JsonRpcUrl`. @param now milliseconds of a monotonic clock. */
  constructor(url: string, options: RpcUrlOptions, now: () => number) {
    const {
      chainId,
      maxConcurrency,
      requestTimeoutMs,
      probeTimeoutMs = PROBE_LIMITS * requestTimeoutMs,
      fetch,
    } = options;
    this.#probeTimeoutMs = probeTimeoutMs;
    this.#now = now;
    this.#url = new JsonRpcUrl(url, { requestTimeoutMs, maxAnswerBytes: MAX_RESPONSE_BYTES, fetch });
    this.#chainId = chainId;
    this.#semaphore = new Semaphore(maxConcurrency);
    const alone = (call: RpcCall, nodeTime: NodeTime | undefined) => this.#alone(call, nodeTime);
    const together = (calls: readonly RpcCall[], nodeTime: NodeTime) => this.#together(calls, nodeTime);
    this.#batches = new CallBatches({ alone, together, now });
  }

  /** The only part of the URL that may be shown. */
  get host(): string {
    return this.#url.host;
  }

  /** The problem because of which the URL isn't used: what its last probe has shown. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Returns what the URL has proven to be able to (see `probeUrl`). It is asked before the first call, once the connection was lost,
   * and from time to time; only for its chain ID after `recheck`.
   *
   * @throws RpcFault; the signal's reason once that is aborted.
   */
  async abilities(signal: AbortSignal): Promise<UrlAbilities> {
    for (;;) {
      const proven = this.#proven;
      if (proven?.doubts === this.#doubts && this.#now() < proven.until) return proven.abilities;
      const probing = this.#probing ?? this.#startProbe(signal);
      this.#probing = probing;
      try {
        await untilAborted(probing.outcome, signal);
      } catch (error) {
        signal.throwIfAborted();
        // Callers share the probe, and another caller's signal may have ended it.
        if (!probing.endedBy.aborted) throw error;
      }
    }
  }

  /** Doubts the chain, because another one may be behind the URL now: its ID is asked again before the next call. */
  recheck(): void {
    this.#doubts += 1;
    this.#probing = undefined;
  }

  /** Makes the next call wait for a new probe. */
  probeAgain(): void {
    this.recheck();
    this.#proven = undefined;
  }

  #startProbe(endedBy: AbortSignal): Probing {
    const expiry = AbortSignal.timeout(this.#probeTimeoutMs);
    const signal = AbortSignal.any([endedBy, expiry]);
    const ask: AskUrl = async (method, params) => {
      try {
        return await this.call(method, params, signal);
      } catch (error) {
        if (!expiry.aborted || error instanceof RpcFault) throw error;
        throw this.#fault("timeout", `it hasn't answered the questions of its probe within ${this.#probeTimeoutMs} ms`);
      }
    };
    const outcome = this.#probe(ask)
      .catch((error: unknown) => {
        if (error instanceof RpcFault && error.kind === "wrong_url") this.#problem = error.message;
        throw error;
      })
      .finally(() => {
        if (this.#probing?.outcome === outcome) this.#probing = undefined;
      });
    return { outcome, endedBy };
  }

  async #probe(ask: AskUrl): Promise<void> {
    const doubts = this.#doubts;
    const before = this.#proven !== undefined && this.#now() < this.#proven.until ? this.#proven : undefined;
    if (before !== undefined) await checkChain(ask, this.#chainId, this.host);
    const { abilities, until } = before ?? (await this.#newProof(ask));
    this.#problem = undefined;
    // Else it answered before the doubt.
    if (doubts === this.#doubts) this.#proven = { abilities, until, doubts };
  }

  /** Probes anew. No answer takes nothing from an earlier proof, unless there is a doubt about the chain or the connection was lost. */
  async #newProof(ask: AskUrl): Promise<{ readonly abilities: UrlAbilities; readonly until: number }> {
    const expired = this.#proven;
    try {
      const abilities = await probeUrl(ask, this.#chainId, this.host);
      // Another node may take other batches.
      this.#batches.reset();
      return { abilities, until: this.#now() + jittered(PROBE_INTERVAL_MS) };
    } catch (error) {
      const isUnanswered = error instanceof RpcFault && error.kind !== "wrong_url";
      if (!isUnanswered || this.#proven !== expired || expired?.doubts !== this.#doubts) throw error;
      return { abilities: expired.abilities, until: this.#now() + RETRY_INTERVAL_MS };
    }
  }

  /**
   * The result of a call.
   *
   * @throws RpcFault; the signal's reason once that is aborted.
   */
  call(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    { nodeTime, limitMs, about, isSmall = false }: CallOptions = {},
  ): Promise<unknown> {
    const call = { method, params, signal, limitMs, about };
    return isSmall ? this.#batches.call(call, nodeTime) : this.#alone(call, nodeTime);
  }

  #alone({ method, params, signal, limitMs }: RpcCall, nodeTime: NodeTime | undefined): Promise<unknown> {
    const ask = async () => {
      const id = this.#nextId++;
      const answer = await this.#post(JSON.stringify({ jsonrpc: "2.0", id, method, params }), signal, limitMs);
      return this.#result(answer, id);
    };
    return this.#semaphore.run(() => nodeTime?.count(ask) ?? ask(), signal);
  }

  /** Answers to calls in one request, in their order. @throws as `call`, for the request */
  async #together(calls: readonly RpcCall[], nodeTime: NodeTime): Promise<readonly (() => unknown)[]> {
    using all = abortedByAll(calls.map(({ signal }) => signal));
    const limitMs = Math.min(...calls.map((call) => call.limitMs ?? Number.POSITIVE_INFINITY));
    const first = this.#nextId;
    this.#nextId += calls.length;
    const requests = calls.map(({ method, params }, index) => ({ jsonrpc: "2.0", id: first + index, method, params }));
    const ask = () => this.#post(JSON.stringify(requests), all.signal, limitMs);
    const { status, batch, ...answer } = await this.#semaphore.run(() => nodeTime.count(ask), all.signal);
    if (batch === undefined || !isSuccess(status)) throw this.#batchFault({ status, ...answer });
    const bodies = new Map(batch.filter(isObject).map((body) => [body["id"], body]));
    return calls.map((_, index) => () => this.#result({ status, body: bodies.get(first + index) }, first + index));
  }

  /** The fault of an answer that isn't one to a batch. */
  #batchFault(answer: PostAnswer): RpcFault {
    const error = answer.body?.["error"];
    if (error !== undefined && error !== null) return this.#errorFault(error, answer);
    if (!isSuccess(answer.status)) return this.#statusFault(answer);
    return this.#fault("unavailable", "it doesn't answer a batch of JSON-RPC 2.0 with a list");
  }

  async #post(body: string, signal: AbortSignal, limitMs?: number): Promise<PostAnswer> {
    try {
      return await this.#url.post(body, signal, limitMs);
    } catch (error) {
      if (!(error instanceof PostFailure)) throw error;
      const isLost = error.kind === "unreachable";
      // Whatever answers after that may be another node.
      if (isLost) this.probeAgain();
      throw this.#fault(KIND_OF_FAILURE[error.kind], error.message, { scope: isLost ? "url" : "method" });
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
    if (STATUSES_OF_LOST_NODE.has(status)) this.probeAgain();
    const options = { ...waitOf(answer), scope: scopeOf(status) };
    return this.#fault(kind, `it answered with HTTP status ${status}${ADVICE[kind] ?? ""}`, options);
  }

  #errorFault(error: unknown, answer: PostAnswer): RpcFault {
    const { code, message } = rpcErrorOf(error);
    return this.#fault(
      kindOfAnswer(answer.status, { code, message }),
      `it answered with error ${code}, ${redactedMessage(this.#url.redactSecrets(message))}`,
      { ...waitOf(answer), code, scope: scopeOfError(answer.status) },
    );
  }

  #fault(kind: RpcFaultKind, problem: string, options: RpcFaultOptions = {}): RpcFault {
    return new RpcFault(kind, `${this.host}: ${problem}`, options);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function waitOf({ retryAfterMs }: PostAnswer): Pick<RpcFaultOptions, "retryAfterMs"> {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** A status of access or of the address is about all requests; others may be about the method. */
function scopeOf(status: number): FaultScope {
  return STATUSES_OF_URL.has(status) || STATUSES_OF_LOST_NODE.has(status) ? "url" : "method";
}

/** An error of JSON-RPC is about its request, unless the status says more. */
function scopeOfError(status: number): FaultScope {
  if (scopeOf(status) === "url") return "url";
  return status === TOO_MANY_REQUESTS ? "method" : "request";
}

/** Half to all of a time, so that URLs and processes don't ask at the same moment. */
function jittered(millis: number): number {
  return millis * (0.5 + Math.random() / 2);
}

function rpcErrorOf(error: unknown): JsonRpcError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Partial<JsonRpcError>;
  return { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "no message" };
}
