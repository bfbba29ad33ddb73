import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/** Node's error codes for a connection that ended during a call. */
const LOST = new Set([
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/**
 * Answers `unavailable` for a unary call whose connection was lost. The transport's own code for it is `aborted`, which
 * services use to refuse requests that are based on an older state. Whether a lost call was executed is unknown.
 */
export const lostConnectionInterceptor: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    if (request.stream || !(error instanceof ConnectError) || !isLost(error.cause)) throw error;
    throw new ConnectError("the connection was lost", Code.Unavailable, undefined, undefined, error);
  }
};

/** Whether the cause of an error is a lost connection. An error that a service sent has no cause. */
function isLost(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return ("code" in cause && LOST.has(String(cause.code))) || isLost(cause.cause);
}
