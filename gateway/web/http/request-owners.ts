import type { IncomingMessage, ServerResponse } from "node:http";

/** A part of what a port serves. */
export interface OtherRequests {
  owns(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Several parts as one; of those that own a request the first gets it. */
export function requestOwners(parts: readonly OtherRequests[]): OtherRequests {
  const ownerOf = (request: IncomingMessage) => parts.find((part) => part.owns(request));
  return {
    owns: (request) => ownerOf(request) !== undefined,
    handle: (request, response) => ownerOf(request)?.handle(request, response),
  };
}
