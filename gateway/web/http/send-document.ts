import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptsGzip, matchesEtag } from "./content-negotiation.ts";
import type { GatewayCounters } from "./counters.ts";
import { deferAnswer } from "./deferred-answer.ts";
import type { EncodedBody, PublicDocument } from "./public-document.ts";

/** A document to answer with. */
export interface AgedDocument {
  readonly representation: PublicDocument;
  /** Seconds since the document was last known to be current; undefined for one that is current. */
  readonly ageSeconds: number | undefined;
}

/**
 * Sends a document, or a 304 to a `GET` or `HEAD` whose client has it already. Sends at once, unless the document has
 * to be compressed first.
 */
export function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  { representation, ageSeconds }: AgedDocument,
  counters: Pick<GatewayCounters, "notModified">,
): void {
  if (request.method !== "POST" && matchesEtag(request.headers["if-none-match"], representation.etag)) {
    counters.notModified++;
    response.writeHead(304, withAge(representation.notModifiedHeaders, ageSeconds)).end();
    return;
  }
  const { identity, gzipped } = representation;
  const encoded = acceptsGzip(request.headers["accept-encoding"]) ? gzipped : identity;
  if (encoded === undefined) void sendCompressed(request, response, representation, ageSeconds);
  else write(request, response, encoded, ageSeconds);
}

async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  representation: PublicDocument,
  ageSeconds: number | undefined,
): Promise<void> {
  deferAnswer(response);
  const encoded = await representation.compress().catch(() => representation.identity);
  if (!response.destroyed) write(request, response, encoded, ageSeconds);
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  encoded: EncodedBody,
  ageSeconds: number | undefined,
): void {
  if (ageSeconds !== undefined) response.writeHead(200, withAge(encoded.headers, ageSeconds));
  else response.writeHead(200, request.method === "POST" ? encoded.postHeaders : encoded.headers);
  if (request.method === "HEAD") response.end();
  else response.end(encoded.bytes);
}

/** Adds `Age` (RFC 9111, section 5.1) to the headers of a document that couldn't be confirmed recently. */
function withAge(headers: string[], ageSeconds: number | undefined): string[] {
  return ageSeconds === undefined ? headers : [...headers, "Age", String(ageSeconds)];
}
