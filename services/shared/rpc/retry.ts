import { setTimeout as delay } from "node:timers/promises";
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const BACKOFF_MS = [20, 100];

/**
 * Repeats a unary call that is `unavailable`, twice at most and after a random part of 20 and 100 ms, where the
 * proto declares the method free of side effects. The call's deadline covers all tries.
 */
export const retryInterceptor: Interceptor = (next) => async (request) => {
  const repeatable = !request.stream && request.method.idempotency === IdempotencyLevel.NO_SIDE_EFFECTS;
  for (const backoffMs of repeatable ? BACKOFF_MS : []) {
    try {
      return await next(request);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable || request.signal.aborted) throw error;
    }
    await delay(Math.random() * backoffMs, undefined, { signal: request.signal });
  }
  return await next(request);
};
