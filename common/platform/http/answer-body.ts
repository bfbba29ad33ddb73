import type { Buffer } from "node:buffer";
import { BodyBuffer } from "./body-buffer.ts";

/** Thrown for a body that is too large, or cut into too many chunks (see `BodyBuffer`). The part that was read is dropped. */
export class BodyTooLarge extends Error {}

/**
 * Reads the body of an answer.
 *
 * @param body such as that of `fetch` or `node:http`. An error ends its iteration, and with it the connection.
 * @param maxBytes limit for the body, after decompression where there is any.
 * @throws BodyTooLarge as soon as the body exceeds the limit; what `body` throws.
 */
export async function readAnswerBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const buffer = new BodyBuffer(maxBytes);
  for await (const chunk of body ?? []) {
    if (!buffer.add(chunk)) throw new BodyTooLarge(`more than ${maxBytes} bytes, or many chunks of a few bytes`);
  }
  return buffer.bytes;
}
