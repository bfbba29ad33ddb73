import { Buffer } from "node:buffer";

/** Thrown if a body is too long. The part that was read is dropped. */
export class BodyTooLarge extends Error {}

/**
 * Reads the text of a response.
 *
 * @param maxBytes limit for the decoded body, after decompression.
 * @throws BodyTooLarge as soon as the body exceeds the limit.
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let length = 0;
  // An error cancels the stream, and with it the connection.
  for await (const part of response.body) {
    length += part.length;
    if (length > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length).toString("utf8");
}
