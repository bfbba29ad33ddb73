/**
 * Texts as the body of an answer: the next one is made when the reader has taken the one before. Where the reader goes,
 * `ending` is aborted, so that nothing goes on being read for it.
 */
export function textStream(texts: AsyncGenerator<string, void>, ending: AbortController): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel() {
        ending.abort();
        // What it was waiting for fails now.
        texts.return().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
