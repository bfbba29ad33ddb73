import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "../../../common/platform/log/log.ts";

/** The answer that a stream of texts is the body of. */
export interface StreamedAnswer {
  readonly answer: { destroy(): unknown };
  readonly logger: Logger;
}

/**
 * Returns texts as the body of an answer. Each text is made when the reader has taken the one before. When the reader
 * goes, `ending` is aborted, so the source of the texts stops. Where a text can't be made, the answer breaks off: the server's library
 * would send the error's message.
 */
export function textStream(
  texts: AsyncGenerator<string, void>,
  ending: AbortController,
  { answer, logger }: StreamedAnswer,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // The reader takes texts outside of the request that they are the answer of.
  const inRequest = AsyncLocalStorage.snapshot();
  const breakOff = (error: unknown) => {
    if (ending.signal.aborted) return;
    logger.warn({ err: error }, "an answer broke off");
    answer.destroy();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await inRequest(() => texts.next());
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          breakOff(error);
          controller.close();
        }
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
