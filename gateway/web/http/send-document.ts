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
  document: AgedDocument,
  counters: Pick<GatewayCounters, "notModified">,
): void {
  const isConditional = request.method !== "POST";
  if (isConditional && sendNotModified(request, response, document)) counters.notModified++;
  else sendBody(request, response, { ...document, isConditional });
}

/**
 * Sends a document as the answer to a `POST` that reads what its body names, with its `ETag`, or a 304 if the client has it
 * already. RFC 9110 knows a 304 for `GET` and `HEAD` only. Such a request is one in all but its name: it is a `POST` so that
 * what it names reaches no log.
 */
export function sendQueriedDocument(
  request: IncomingMessage,
  response: ServerResponse,
  representation: PublicDocument,
): void {
  const document = { representation, ageSeconds: undefined };
  if (!sendNotModified(request, response, document)) sendBody(request, response, { ...document, isConditional: true });
}

/** @returns whether the client has the document, and got a 304 */
function sendNotModified(
  request: IncomingMessage,
  response: ServerResponse,
  { representation, ageSeconds }: AgedDocument,
): boolean {
  if (!matchesEtag(request.headers["if-none-match"], representation.etag)) return false;
  response.writeHead(304, withAge(representation.notModifiedHeaders, ageSeconds)).end();
  return true;
}

interface SentDocument extends AgedDocument {
  /** Whether the answer has the headers for caches and conditional requests. */
  readonly isConditional: boolean;
}

function sendBody(request: IncomingMessage, response: ServerResponse, document: SentDocument): void {
  const { representation } = document;
  // Only the form that is sent is asked for: of a packed document the other one would have to be made.
  const encoded = acceptsGzip(request.headers["accept-encoding"]) ? representation.gzipped : representation.identity;
  if (encoded === undefined) void sendCompressed(request, response, document);
  else write(request, response, encoded, document);
}

async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  document: SentDocument,
): Promise<void> {
  const { representation } = document;
  deferAnswer(response);
  const encoded = await representation.compress().catch(() => representation.identity);
  if (!response.destroyed) write(request, response, encoded, document);
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  encoded: EncodedBody,
  { ageSeconds, isConditional }: SentDocument,
): void {
  if (ageSeconds !== undefined) response.writeHead(200, withAge(encoded.headers, ageSeconds));
  else response.writeHead(200, isConditional ? encoded.headers : encoded.postHeaders);
  if (request.method === "HEAD") response.end();
  else response.end(encoded.bytes);
}

/** Adds `Age` (RFC 9111, section 5.1) to the headers of a document that couldn't be confirmed recently. */
function withAge(headers: string[], ageSeconds: number | undefined): string[] {
  return ageSeconds === undefined ? headers : [...headers, "Age", String(ageSeconds)];
}
