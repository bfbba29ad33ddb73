import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { exponentialMs } from "../../concurrency/backoff.ts";
import { isTokenRefused } from "../identity/caller-refusal.ts";
import { isNotConnected } from "./not-connected.ts";

const REST = { firstMs: 1_000, longestMs: 30_000 };

/** The outcomes of calls to a process that is away, or hangs. */
const AWAY: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded]);

/**
 * Returns a number, at least 0, that is the same for all requests which one process should answer; undefined for a request that any
 * process answers as well.
 */
export type Affinity = (message: object) => number | undefined;

export interface BalancerOptions {
  /** None by default: calls go to each process in turn. */
  readonly affinity?: Affinity | undefined;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Shares calls among the processes of one service. All calls with the same affinity go to the same process, which then has their
 * subject in its memory; other calls go to each in turn. A process that is `unavailable` or misses a deadline gets no calls for a second,
 * then a single one; each further failure doubles that time, to 30 s at most. Calls go to resting processes only if there is
 * no other. A call whose connection couldn't be opened, or whose caller's token a process refuses, is sent to the next process at
 * once; one that refuses rests as if it were away. So is a stream with one message as its input, before its first answer.
 *
 * @param baseUrls without a slash at the end; the transport has the first one as its own
 */
export function balancingInterceptor(
  baseUrls: readonly string[],
  { affinity = () => undefined, now = () => performance.now() }: BalancerOptions = {},
): Interceptor {
  const processes = baseUrls.map((baseUrl) => new ServiceProcess(baseUrl));
  const [{ length: prefix } = ""] = baseUrls;
  let calls = 0;
  return (next) => async (request) => {
    const first = (request.stream ? undefined : affinity(request.message)) ?? calls++;
    const left = inOrder(processes, first, now()).values();
    const copy = await copies(request);
    const ask = async (): Promise<UnaryResponse | StreamResponse> => {
      let failure: unknown;
      for (const process of left) {
        process.begin(now());
        try {
          const response = await next({
            ...copy(),
            url: process.baseUrl + request.url.slice(prefix),
          } as typeof request);
          if (response.stream) return { ...response, message: messagesOf(response, process) } as StreamResponse;
          process.succeeded();
          return response;
        } catch (error) {
          failure = error;
          if (!process.isPassedOver(error, now()) || !isRepeatable(request)) break;
        }
      }
      throw failure;
    };
    const messagesOf = (response: StreamResponse, process: ServiceProcess) =>
      messagesOrOthers(response.message, process, async (error) => {
        if (!process.isPassedOver(error, now()) || !isRepeatable(request)) throw error;
        // Without another process, this refusal says more than none.
        const other = await ask().catch((failure: unknown) => Promise.reject(failure ?? error));
        return (other as StreamResponse).message;
      });
    return ask();
  };
}

/** Whether a request can be sent again: its input is a single message. */
function isRepeatable(request: UnaryRequest | StreamRequest): boolean {
  return !request.stream || request.method.methodKind === "server_streaming";
}

/** Returns a function that makes copies of a request. The input of a stream can be read only once. */
async function copies(request: UnaryRequest | StreamRequest): Promise<() => UnaryRequest | StreamRequest> {
  if (!request.stream || !isRepeatable(request)) return () => request;
  const messages = await Array.fromAsync(request.message);
  return () => ({ ...request, message: listed(messages) });
}

async function* listed<Message>(messages: readonly Message[]): AsyncGenerator<Message> {
  yield* messages;
}

/** Messages of a stream. Where it fails before the first one, they are those that `others` gives for the error. */
async function* messagesOrOthers<Message>(
  messages: AsyncIterable<Message>,
  process: ServiceProcess,
  others: (error: unknown) => Promise<AsyncIterable<Message>>,
): AsyncGenerator<Message> {
  let isBegun = false;
  try {
    for await (const message of messages) {
      if (!isBegun) process.succeeded();
      isBegun = true;
      yield message;
    }
    if (!isBegun) process.succeeded();
  } catch (error) {
    if (isBegun) throw error;
    yield* await others(error);
  }
}

/** A process of the service, with what the calls to it showed. */
class ServiceProcess {
  readonly baseUrl: string;
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Time until it may be called again; at most 0 if it may be called now. */
  restAt(now: number): number {
    return this.#restsUntil - now;
  }

  /** The first call after a rest is the only one until its outcome is known. */
  begin(now: number): void {
    if (this.#failures > 0) this.#rest(now);
  }

  /** Notes a failed call. @returns whether another process may answer it, as this one has done nothing of it */
  isPassedOver(error: unknown, now: number): boolean {
    const { code } = ConnectError.from(error);
    const isRefused = isTokenRefused(error);
    if (AWAY.has(code) || isRefused) this.failed(now);
    else if (code !== Code.Canceled) this.succeeded();
    return isRefused || isNotConnected(error);
  }

  failed(now: number): void {
    this.#failures += 1;
    this.#rest(now);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restsUntil = Number.NEGATIVE_INFINITY;
  }

  #rest(now: number): void {
    this.#restsUntil = now + exponentialMs(this.#failures, REST);
  }
}

/** Orders processes: first those that may be called, from the given number on, then those that rest, the shortest rest first. */
function inOrder(processes: readonly ServiceProcess[], first: number, now: number): readonly ServiceProcess[] {
  const ring = processes.map((_, index) => processes[(first + index) % processes.length] as ServiceProcess);
  const rest = (process: ServiceProcess) => Math.max(process.restAt(now), 0);
  return ring.toSorted((a, b) => rest(a) - rest(b));
}
