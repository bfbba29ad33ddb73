import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../../shared/concurrency/backoff.ts";
import { Semaphore } from "../../../shared/concurrency/semaphore.ts";
import type { SvmChain } from "../../chains/chain.ts";
import { JsonRpcUrl } from "../../nodes/json-rpc-url.ts";
import { SourceFault } from "../../source/source-reader.ts";
import { checkAnswer } from "./check-answer.ts";
import { GenesisCheck } from "./genesis-check.ts";
import { postJsonRpc } from "./post-json-rpc.ts";

/** 64 MiB: about 180,000 entities in one list. */
const MAX_ANSWER_BYTES = 67_108_864;
/** A URL that failed comes last for this long. */
const REST_MS = 30_000;
/** All URLs are tried this often before the fault is passed on. */
const MAX_ATTEMPTS = 4;
const BACKOFF = { firstMs: 250, longestMs: 1_000 };
/** If a node asks for a longer wait, the request fails: the caller can show the fault, and tries again later. */
const LONGEST_WAIT_MS = 5_000;

export interface TransportOptions {
  /** Milliseconds of a clock that doesn't go back. Default: the process's. */
  readonly now?: () => number;
  /** Default: a timer. */
  readonly wait?: (millis: number, signal: AbortSignal) => Promise<void>;
  /** Of one answer. Default: 64 MiB. */
  readonly maxAnswerBytes?: number;
}

interface Endpoint {
  readonly url: JsonRpcUrl;
  readonly semaphore: Semaphore;
  readonly genesis: GenesisCheck;
  /** When it stops to come last, by the clock. */
  restsUntil: number;
  /** When it may be asked again at all. */
  closedUntil: number;
  /** It answers, but from far behind the others. */
  isUnhealthy: boolean;
}

/**
 * Sends JSON-RPC requests to the first URL of a chain that answers them, with at most `maxConcurrency` at once to each.
 * What may pass by itself is tried again a few times.
 */
export class FailoverTransport {
  readonly #endpoints: readonly Endpoint[];
  readonly #now: () => number;
  readonly #wait: (millis: number, signal: AbortSignal) => Promise<void>;

  constructor(chain: SvmChain, { now, wait, maxAnswerBytes }: TransportOptions = {}) {
    const { requestTimeoutMs } = chain;
    this.#endpoints = chain.urls.map((url) => ({
      url: new JsonRpcUrl(url, { requestTimeoutMs, maxAnswerBytes: maxAnswerBytes ?? MAX_ANSWER_BYTES }),
      semaphore: new Semaphore(chain.maxConcurrency),
      genesis: new GenesisCheck(chain.genesisHash),
      restsUntil: -Infinity,
      closedUntil: -Infinity,
      isUnhealthy: false,
    }));
    this.#now = now ?? (() => performance.now());
    this.#wait = wait ?? ((millis, signal) => delay(millis, undefined, { signal }));
  }

  /** In the operator's order. */
  get urls(): readonly JsonRpcUrl[] {
    return this.#endpoints.map(({ url }) => url);
  }

  /** While a URL is aside, it isn't asked what any of the others may be asked. */
  setUnhealthy(url: JsonRpcUrl, isUnhealthy: boolean): void {
    for (const endpoint of this.#endpoints) if (endpoint.url === url) endpoint.isUnhealthy = isUnhealthy;
  }

  /** Asks one of the URLs, once. @throws SourceFault; the signal's reason. */
  async sendTo(url: JsonRpcUrl, payload: unknown, signal: AbortSignal): Promise<object> {
    const endpoint = this.#endpoints.find((each) => each.url === url);
    if (endpoint === undefined) throw new TypeError("the URL is none of this transport");
    const answer = await this.#tryOne(endpoint, payload, signal);
    if (answer instanceof SourceFault) throw answer;
    return answer;
  }

  /** @throws SourceFault of every URL, joined; the signal's reason. */
  async send(payload: unknown, signal: AbortSignal): Promise<object> {
    for (let attempt = 1; ; attempt += 1) {
      const faults: SourceFault[] = [];
      for (const endpoint of this.#inOrder()) {
        const answer = await this.#tryOne(endpoint, payload, signal);
        if (!(answer instanceof SourceFault)) return answer;
        faults.push(answer);
      }
      const fault = joined(faults);
      const waitMs = Math.max(fault.retryAfterMs ?? 0, backoffMs(attempt, BACKOFF));
      if (fault.remedy === "mend" || attempt === MAX_ATTEMPTS || waitMs > LONGEST_WAIT_MS) throw fault;
      await this.#wait(waitMs, signal);
    }
  }

  /** As configured, those that failed lately last, and none that is aside unless all are. */
  #inOrder(): readonly Endpoint[] {
    const now = this.#now();
    const inStep = this.#endpoints.filter(({ isUnhealthy }) => !isUnhealthy);
    const isResting = ({ restsUntil }: Endpoint) => Number(restsUntil > now);
    return (inStep.length === 0 ? this.#endpoints : inStep).toSorted((a, b) => isResting(a) - isResting(b));
  }

  async #tryOne(endpoint: Endpoint, payload: unknown, signal: AbortSignal): Promise<object | SourceFault> {
    const { url, semaphore, genesis } = endpoint;
    const closedForMs = endpoint.closedUntil - this.#now();
    if (closedForMs > 0) {
      return new SourceFault(`${url.host} limits the rate of requests`, { remedy: "wait", retryAfterMs: closedForMs });
    }
    const ask = (request: unknown) => semaphore.run(() => postJsonRpc(url, request, signal), signal);
    try {
      await genesis.pass(url.host, ask);
      const answer = await ask(payload);
      checkAnswer(url.host, payload, answer);
      endpoint.restsUntil = -Infinity;
      return answer;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      endpoint.restsUntil = this.#now() + REST_MS;
      // Of requests that failed at a time, the one that was told to wait longest counts.
      endpoint.closedUntil = Math.max(endpoint.closedUntil, this.#now() + (error.retryAfterMs ?? 0));
      return error;
    }
  }
}

/** Of several URLs one that passes by itself is enough, and the shortest wait. */
function joined(faults: readonly SourceFault[]): SourceFault {
  const [first, ...others] = faults;
  if (first !== undefined && others.length === 0) return first;
  const message = faults.map((fault) => fault.message).join("; ");
  const remedy = faults.every((fault) => fault.remedy === "mend") ? "mend" : "wait";
  const waiting = faults.filter((fault) => fault.remedy === "wait");
  const retryAfterMs = Math.min(...waiting.map((fault) => fault.retryAfterMs ?? 0));
  return new SourceFault(message, { remedy, ...(retryAfterMs > 0 && waiting.length > 0 ? { retryAfterMs } : {}) });
}
