import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { OutboundFault } from "./outbound-fault.ts";

/**
 * Reads a body to its end.
 *
 * @throws OutboundFault `too_large` as soon as there is more, `unreachable` if the connection is lost
 */
export async function readBody(response: IncomingMessage, maxBytes: number, host: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes) throw new OutboundFault("too_large", `${host} sends more than ${maxBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof OutboundFault) throw error;
    throw new OutboundFault("unreachable", `the connection to ${host} was lost`, { cause: error });
  }
  if (!response.complete) throw new OutboundFault("unreachable", `the connection to ${host} was lost`);
  return new Uint8Array(Buffer.concat(parts, bytes));
}
