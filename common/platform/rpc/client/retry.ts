import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import pRetry from "p-retry";

const REPEATABLE: ReadonlySet<IdempotencyLevel | undefined> = new Set([
  IdempotencyLevel.NO_SIDE_EFFECTS,
  IdempotencyLevel.IDEMPOTENT,
]);

/**
 * Repeats a unary call that is `unavailable`, at most twice: after 10 to 20 and after 50 to 100 ms, at random. The proto
 * must declare the method `NO_SIDE_EFFECTS` or `IDEMPOTENT`. (A method whose request holds a secret is `IDEMPOTENT` even
 * if it has no side effects, as Connect may send the others as a URL.) The call's deadline covers all attempts.
 */
export const retryInterceptor: Interceptor = (next) => async (request) => {
  if (request.stream || !REPEATABLE.has(request.method.idempotency)) return next(request);
  return pRetry(() => next(request), {
    retries: 2,
    minTimeout: 10,
    factor: 5,
    randomize: true,
    shouldRetry: ({ error }) => ConnectError.from(error).code === Code.Unavailable,
    signal: request.signal,
  });
};
