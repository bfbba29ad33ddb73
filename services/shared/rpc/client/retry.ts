import { setTimeout as delay } from "node:timers/promises";
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const BACKOFF_MS = [20, 100];
const REPEATABLE: ReadonlySet<IdempotencyLevel | undefined> = new Set([
  IdempotencyLevel.NO_SIDE_EFFECTS,
  IdempotencyLevel.IDEMPOTENT,
]);

/**
 * Repeats a unary call that is `unavailable`, twice at most and after a random part of 20 and 100 ms, where the
 * proto declares the method free of side effects, or `IDEMPOTENT`, as it does where the request holds a secret: Connect
 * would let one free of side effects travel in a URL. The call's deadline covers all tries.
 */
export const retryInterceptor: Interceptor = (next) => async (request) => {
  const repeatable = !request.stream && REPEATABLE.has(request.method.idempotency);
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
