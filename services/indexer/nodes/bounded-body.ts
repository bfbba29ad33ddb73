import { Buffer } from "node:buffer";

/** Thrown where a body is longer than it may be; what came of it is dropped. */
export class BodyTooLarge extends Error {}

/**
 * The text of a response.
 *
 * @param maxBytes of the body as decoded (gzip and the like undone).
 * @throws BodyTooLarge as soon as there are more.
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const part of response.body) {
    length += part.length;
    if (length > maxBytes) throw new BodyTooLarge(`more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length).toString("utf8");
}
