import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Returns texts as the body of an answer. Each text is made when the reader has taken the one before. When the reader
 * goes, `ending` is aborted, so the source of the texts stops.
 */
export function textStream(texts: AsyncGenerator<string, void>, ending: AbortController): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // The reader takes texts outside of the request that they are the answer of.
  const inRequest = AsyncLocalStorage.snapshot();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await inRequest(() => texts.next());
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel() {
        ending.abort();
        // The call that it waited for fails now.
        texts.return().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
