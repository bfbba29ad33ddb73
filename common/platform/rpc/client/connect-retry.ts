import { setTimeout as wait } from "node:timers/promises";
import type { Interceptor, StreamRequest, UnaryRequest } from "@connectrpc/connect";
import { backoffMs } from "../../concurrency/backoff.ts";
import { isNotConnected } from "./not-connected.ts";

const BACKOFF = { firstMs: 100, longestMs: 1_000 };

/**
 * Repeats a call whose connection couldn't be opened, so that nothing of it was sent, for a time: a new pod's first connections may
 * come before the policies that allow them. A call that a service may have got isn't repeated. The call's deadline covers all attempts.
 *
 * @param forMs the time after which the last failure is the outcome
 * @param now a clock in milliseconds
 */
export function connectRetryInterceptor(forMs: number, now = () => performance.now()): Interceptor {
  return (next) => async (request) => {
    const end = now() + forMs;
    const attempt = await repeatable(request);
    for (let failures = 1; ; failures++) {
      try {
        return await next(attempt());
      } catch (error) {
        if (!isNotConnected(error) || now() >= end) throw error;
        await wait(backoffMs(failures, BACKOFF), undefined, { signal: request.signal }).catch(() => {
          throw error;
        });
      }
    }
  };
}

/** Returns a function that creates the request of each attempt: an attempt uses up the messages of a stream. */
async function repeatable(request: UnaryRequest | StreamRequest): Promise<() => UnaryRequest | StreamRequest> {
  if (!request.stream || request.method.methodKind !== "server_streaming") return () => request;
  const messages = await Array.fromAsync(request.message);
  return () => ({
    ...request,
    message: (async function* () {
      yield* messages;
    })(),
  });
}
