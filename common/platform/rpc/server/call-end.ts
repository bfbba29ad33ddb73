import type { Interceptor, StreamResponse } from "@connectrpc/connect";
import { withCallSignal } from "../../concurrency/call-signal.ts";

/**
 * Answers a unary call when its deadline passes or its client goes, even if its handler still works. Connect only aborts
 * the signal and waits for the handler. The handler's work gets the signal from `callSignal`.
 */
export const endWithCall: Interceptor = (next) => async (request) => {
  const { signal } = request;
  if (request.stream) {
    const response = await withCallSignal(signal, () => next(request));
    return response.stream ? { ...response, message: withinCall(response.message, signal) } : response;
  }
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([withCallSignal(signal, () => next(request)), ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
};

/** A generator runs in the asynchronous context of whoever asks it for its next value, so each step enters the call anew. */
function withinCall(messages: StreamResponse["message"], signal: AbortSignal): StreamResponse["message"] {
  const within = <Result>(work: () => Result): Result => withCallSignal(signal, work);
  return {
    [Symbol.asyncIterator]() {
      const iterator = within(() => messages[Symbol.asyncIterator]());
      const close = iterator.return?.bind(iterator);
      return {
        next: () => within(() => iterator.next()),
        ...(close && { return: (value?: unknown) => within(() => close(value)) }),
      };
    },
  };
}
