import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../platform/concurrency/backoff.ts";
import { Semaphore } from "../../platform/concurrency/semaphore.ts";
import type { SvmChain } from "../base/chain.ts";
import { SourceFault } from "../base/source-fault.ts";
import { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { UrlBackoff } from "../nodes/url-backoff.ts";
import { CallTooLarge } from "./call-too-large.ts";
import { checkAnswer } from "./check-answer.ts";
import { GENESIS_METHOD, GenesisCheck } from "./genesis-check.ts";
import { NodeFault } from "./node-fault.ts";
import { postJsonRpc } from "./post-json-rpc.ts";

/** 64 MiB: about 180,000 entities in one list. */
const MAX_ANSWER_BYTES = 67_108_864;
/** Attempts with all URLs before a request fails. */
const MAX_ATTEMPTS = 4;
const BACKOFF = { firstMs: 250, longestMs: 1_000 };
/** Longest wait between attempts. If a node asks for a longer one, the request fails, so that the caller can show it. */
const LONGEST_WAIT_MS = 5_000;

const NO_URLS: ReadonlySet<JsonRpcUrl> = new Set();

export interface TransportOptions {
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: () => number;
  /** Waits between attempts. Default: a timer. */
  readonly wait?: (millis: number, signal: AbortSignal) => Promise<void>;
  /** Gets a text for the operator when a URL turns out to refuse a method again and again. */
  readonly warn?: (problem: string) => void;
  /** Largest answer. Default: 64 MiB. */
  readonly maxAnswerBytes?: number;
}

export interface SendOptions {
  /** URLs that are asked after the others. */
  readonly last?: () => ReadonlySet<JsonRpcUrl>;
  /** Gets the URL of each answer. */
  readonly onAnswer?: (url: JsonRpcUrl) => void;
}

interface Endpoint {
  readonly url: JsonRpcUrl;
  readonly semaphore: Semaphore;
  readonly genesis: GenesisCheck;
  readonly backoff: UrlBackoff;
  /** Whether it is far behind the others (see `HeadComparison`). */
  isUnhealthy: boolean;
}

/**
 * Sends JSON-RPC requests to the first URL of a chain that answers, with at most `maxConcurrency` concurrent requests to
 * each. Failures that may pass by themselves are retried a few times.
 */
export class FailoverTransport {
  readonly #endpoints: readonly Endpoint[];
  readonly #now: () => number;
  readonly #wait: (millis: number, signal: AbortSignal) => Promise<void>;
  readonly #warn: (problem: string) => void;

  constructor(chain: SvmChain, { now, wait, warn, maxAnswerBytes }: TransportOptions = {}) {
    const { requestTimeoutMs } = chain;
    this.#endpoints = chain.urls.map((url) => ({
      url: new JsonRpcUrl(url, { requestTimeoutMs, maxAnswerBytes: maxAnswerBytes ?? MAX_ANSWER_BYTES }),
      semaphore: new Semaphore(chain.maxConcurrency),
      genesis: new GenesisCheck(chain.genesisHash),
      backoff: new UrlBackoff(),
      isUnhealthy: false,
    }));
    this.#now = now ?? (() => performance.now());
    this.#warn = warn ?? (() => undefined);
    this.#wait = wait ?? ((millis, signal) => delay(millis, undefined, { signal }));
  }

  /** The URLs in the operator's order. */
  get urls(): readonly JsonRpcUrl[] {
    return this.#endpoints.map(({ url }) => url);
  }

  /** The methods that the URLs refuse again and again, in the order of the URLs. */
  refusedMethods(): readonly (readonly string[])[] {
    return this.#endpoints.map(({ backoff }) => backoff.refusedMethods().map(({ method }) => method));
  }

  /** Marks a URL as unhealthy: then it is asked only if all are. */
  setUnhealthy(url: JsonRpcUrl, isUnhealthy: boolean): void {
    for (const endpoint of this.#endpoints) if (endpoint.url === url) endpoint.isUnhealthy = isUnhealthy;
  }

  /**
   * Asks URLs for their cluster again, if one is configured. A read must be confirmed in this way before anything of it is used: slots
   * don't say which cluster they are of.
   *
   * @param used the URLs that have answered the read.
   * @throws SourceFault if one is of another cluster now, or doesn't say; the signal's reason.
   */
  async confirmCluster(used: ReadonlySet<JsonRpcUrl>, signal: AbortSignal): Promise<void> {
    const endpoints = this.#endpoints.filter(({ url }) => used.has(url));
    await Promise.all(endpoints.map((endpoint) => this.#confirmCluster(endpoint, signal)));
  }

  async #confirmCluster(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const fault = await this.#askCluster(endpoint, signal);
      if (fault === undefined) return;
      const waitMs = Math.max(fault.retryAfterMs ?? 0, backoffMs(attempt, BACKOFF));
      if (fault.remedy === "mend" || attempt === MAX_ATTEMPTS || waitMs > LONGEST_WAIT_MS) throw fault;
      await this.#wait(waitMs, signal);
    }
  }

  async #askCluster(endpoint: Endpoint, signal: AbortSignal): Promise<SourceFault | undefined> {
    const { url, genesis, backoff } = endpoint;
    const blocked = this.#blocked(endpoint, GENESIS_METHOD);
    if (blocked !== undefined) return blocked;
    try {
      await genesis.again(url.host, (request) => this.#post(endpoint, request, signal));
      backoff.succeeded(GENESIS_METHOD, this.#now());
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      // No read of the URL can be used without it.
      this.#count(endpoint, GENESIS_METHOD, error, true);
      return error;
    }
  }

  #post({ url, semaphore }: Endpoint, request: unknown, signal: AbortSignal): Promise<object> {
    return semaphore.run(() => postJsonRpc(url, request, signal), signal);
  }

  /** Asks one of the URLs, once. @throws SourceFault; the signal's reason. */
  async sendTo(url: JsonRpcUrl, payload: unknown, signal: AbortSignal): Promise<object> {
    const endpoint = this.#endpoints.find((each) => each.url === url);
    if (endpoint === undefined) throw new TypeError("this transport doesn't have the URL");
    const answer = await this.#tryOne(endpoint, payload, signal);
    if (answer instanceof SourceFault) throw answer;
    return answer;
  }

  /**
   * Asks the URLs in order until one answers.
   *
   * @throws CallTooLarge if none does, and one of them for the call's size; SourceFault with the faults of all URLs; the signal's reason.
   */
  async send(payload: unknown, signal: AbortSignal, { last, onAnswer }: SendOptions = {}): Promise<object> {
    const method = methodOf(payload);
    const endpoints = this.#inOrder(method, last?.() ?? NO_URLS);
    const failedBefore = new Set(endpoints.filter(({ backoff }) => backoff.isBackingOff(method, this.#now())));
    /** The same call again would be refused again. */
    const tooLarge = new Map<Endpoint, CallTooLarge>();
    for (let attempt = 1; ; attempt += 1) {
      const faults = new Map<Endpoint, SourceFault>();
      for (const endpoint of endpoints.filter((each) => !tooLarge.has(each))) {
        const answer = await this.#tryOne(endpoint, payload, signal);
        if (!(answer instanceof SourceFault)) {
          onAnswer?.(endpoint.url);
          return answer;
        }
        if (answer instanceof CallTooLarge) tooLarge.set(endpoint, answer);
        else faults.set(endpoint, answer);
      }
      const fault = combinedFault([...tooLarge.values(), ...faults.values()]);
      const waiting = [...faults].filter(([, { remedy }]) => remedy === "wait").map(([endpoint]) => endpoint);
      const waitMs = Math.max(fault.retryAfterMs ?? 0, backoffMs(attempt, BACKOFF));
      const isLast = waiting.length === 0 || attempt === MAX_ATTEMPTS || waitMs > LONGEST_WAIT_MS;
      // The caller can ask for less, which a URL that works answers sooner than one that has been away for longer.
      const [refused] = tooLarge.values();
      if (refused !== undefined && (isLast || waiting.every((endpoint) => failedBefore.has(endpoint)))) {
        throw waiting.length === 0 ? refused : new CallTooLarge(fault.message, { remedy: "wait", mayBeTaken: true });
      }
      if (isLast) throw fault;
      await this.#wait(waitMs, signal);
    }
  }

  /** The healthy endpoints, or all if none is healthy, in the operator's order, but with those to ask last and those that failed recently last. */
  #inOrder(method: string, last: ReadonlySet<JsonRpcUrl>): readonly Endpoint[] {
    const now = this.#now();
    const healthy = this.#endpoints.filter(({ isUnhealthy }) => !isUnhealthy);
    const place = ({ url, backoff }: Endpoint) => Number(last.has(url)) + 2 * Number(backoff.isBackingOff(method, now));
    return (healthy.length === 0 ? this.#endpoints : healthy).toSorted((a, b) => place(a) - place(b));
  }

  /** Fault of a URL that may not be asked for a method now; undefined for one that may. */
  #blocked(endpoint: Endpoint, method: string): SourceFault | undefined {
    const blockedForMs = endpoint.backoff.blockedForMs(method, this.#now());
    if (blockedForMs === 0) return undefined;
    const message = `${endpoint.url.host} limits the rate of requests`;
    return refusalOf(method, endpoint) ?? new SourceFault(message, { remedy: "wait", retryAfterMs: blockedForMs });
  }

  async #tryOne(endpoint: Endpoint, payload: unknown, signal: AbortSignal): Promise<object | SourceFault> {
    const { url, genesis, backoff } = endpoint;
    const method = methodOf(payload);
    const blocked = this.#blocked(endpoint, method);
    if (blocked !== undefined) return blocked;
    const ask = (request: unknown) => this.#post(endpoint, request, signal);
    let isOfUrl = true;
    try {
      await genesis.pass(url.host, ask);
      isOfUrl = false;
      const answer = await ask(payload);
      checkAnswer(url.host, payload, answer);
      backoff.succeeded(method, this.#now());
      return answer;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      // A node that refuses the size of this call may well answer others.
      if (!(error instanceof CallTooLarge)) this.#count(endpoint, method, error, isOfUrl);
      return error;
    }
  }

  #count(endpoint: Endpoint, method: string, fault: SourceFault, isOfUrl: boolean): void {
    const wasOffered = refusalOf(method, endpoint) === undefined;
    const { message, retryAfterMs } = fault;
    const known = fault instanceof NodeFault ? fault : undefined;
    const failure = { message, retryAfterMs, isOfUrl: isOfUrl || known?.isOfUrl === true, refusal: known?.refusal };
    endpoint.backoff.failed(method, failure, this.#now());
    const refusal = refusalOf(method, endpoint);
    if (wasOffered && refusal !== undefined) this.#warn(refusal.message);
  }
}

/** Fault of a URL that isn't asked for a method because it refuses it again and again; undefined for one that it offers. */
function refusalOf(method: string, { url, backoff }: Endpoint): SourceFault | undefined {
  const refusal = backoff.refusalOf(method);
  return refusal === undefined
    ? undefined
    : new SourceFault(`${url.host}: ${refusal}`, { remedy: "mend", isOfNodes: true });
}

function methodOf(payload: unknown): string {
  const method = typeof payload === "object" && payload !== null && "method" in payload ? payload.method : undefined;
  return typeof method === "string" ? method : "";
}

/** One fault for those of all URLs. It passes by itself if one of them does, after the shortest wait. */
function combinedFault(faults: readonly SourceFault[]): SourceFault {
  const [first, ...others] = faults;
  if (first !== undefined && others.length === 0) return first;
  const message = faults.map((fault) => fault.message).join("; ");
  const remedy = faults.every((fault) => fault.remedy === "mend") ? "mend" : "wait";
  const waiting = faults.filter((fault) => fault.remedy === "wait");
  const retryAfterMs = Math.min(...waiting.map((fault) => fault.retryAfterMs ?? 0));
  return new SourceFault(message, { remedy, ...(retryAfterMs > 0 && waiting.length > 0 ? { retryAfterMs } : {}) });
}
