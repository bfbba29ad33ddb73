/**
 * Kinds of failures of an outbound request:
 * - `blocked`: the URL or what its host resolves to may not be asked;
 * - `unreachable`: no connection, no valid certificate, or the connection was lost;
 * - `timeout`: not done within the deadline;
 * - `too_large`: headers or body exceed their bound;
 * - `malformed`: the answer isn't HTTP, is compressed, or redirects.
 */
export type OutboundFaultKind = "blocked" | "unreachable" | "timeout" | "too_large" | "malformed";

/** Thrown if a request to a host of somebody else's got no usable answer. The message names the host, and nothing else of the URL. */
export class OutboundFault extends Error {
  readonly kind: OutboundFaultKind;

  constructor(kind: OutboundFaultKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "OutboundFault";
    this.kind = kind;
  }
}
