import type { StreamResponse } from "@connectrpc/connect";

/**
 * Returns messages each of which is made within an asynchronous context. A generator runs in the context of whoever asks it for
 * its next value, so each step enters the context anew.
 *
 * @param within runs work in the context
 */
export function messagesWithin(
  messages: StreamResponse["message"],
  within: <Result>(work: () => Result) => Result,
): StreamResponse["message"] {
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
