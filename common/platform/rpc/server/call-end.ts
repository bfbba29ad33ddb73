import type { Interceptor } from "@connectrpc/connect";
import { withCallSignal } from "../../concurrency/call-signal.ts";
import { messagesWithin } from "../messages-within.ts";

/**
 * Answers a unary call when its deadline passes or its client goes, even if its handler still works. Connect only aborts
 * the signal and waits for the handler. The handler's work gets the signal from `callSignal`.
 */
export const endWithCall: Interceptor = (next) => async (request) => {
  const { signal } = request;
  if (request.stream) {
    const response = await withCallSignal(signal, () => next(request));
    if (!response.stream) return response;
    return { ...response, message: messagesWithin(response.message, (work) => withCallSignal(signal, work)) };
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
