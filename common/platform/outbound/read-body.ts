import type { IncomingMessage } from "node:http";
import { BodyTooLarge, readAnswerBody } from "../http/answer-body.ts";
import { OutboundFault } from "./outbound-fault.ts";

/**
 * Reads a body to its end.
 *
 * @throws OutboundFault `too_large` as soon as there is more, `unreachable` if the connection is lost
 */
export async function readBody(response: IncomingMessage, maxBytes: number, host: string): Promise<Uint8Array> {
  const body = await readAnswerBody(response, maxBytes).catch((error: unknown) => {
    if (error instanceof BodyTooLarge) throw new OutboundFault("too_large", `${host} sends ${error.message}`);
    throw new OutboundFault("unreachable", `the connection to ${host} was lost`, { cause: error });
  });
  if (!response.complete) throw new OutboundFault("unreachable", `the connection to ${host} was lost`);
  return new Uint8Array(body);
}
