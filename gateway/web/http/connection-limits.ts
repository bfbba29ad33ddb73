import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AddressLimits } from "./address-limits.ts";
import type { GatewayCounters } from "./counters.ts";
import { type PublicError, tooMany } from "./public-error.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

const TOO_MANY = tooMany("Too much is under way from this address.");

export interface ConnectionLimitsOptions {
  /** The most connections of one address; through trusted proxies, the most requests under way for one address. */
  readonly maxPerAddress: number;
  readonly trustedProxies: TrustedProxies;
  readonly counters: Pick<GatewayCounters, "refusedConnections">;
}

/**
 * Bounds what one address holds of the public port. Connections of trusted proxies aren't counted, as they carry the requests of
 * everyone: there the requests under way count, by the address that the proxy names.
 */
export class ConnectionLimits {
  readonly #options: ConnectionLimitsOptions;
  readonly #connections: AddressLimits;
  readonly #requests: AddressLimits;
  readonly #ofProxies = new WeakSet<Socket>();

  constructor(options: ConnectionLimitsOptions) {
    this.#options = options;
    const { maxPerAddress } = options;
    const limits = { max: Number.POSITIVE_INFINITY, maxPerAddress, full: () => TOO_MANY, addressFull: () => TOO_MANY };
    this.#connections = new AddressLimits(limits);
    this.#requests = new AddressLimits(limits);
  }

  /** Counts a new connection until it closes; closes it at once where its address has too many. */
  accept(socket: Socket): void {
    const { trustedProxies, counters } = this.#options;
    const address = trustedProxies.clientAddress(socket.remoteAddress, undefined);
    if (trustedProxies.has(address)) {
      this.#ofProxies.add(socket);
    } else if (this.#connections.isAddressFull(address)) {
      counters.refusedConnections++;
      socket.destroy();
    } else {
      // `once` would keep a wrapper for each open stream.
      socket.on("close", this.#connections.enter(address));
    }
  }

  /**
   * Hands a request to its handler. One of a trusted proxy that isn't answered at once counts until its answer is sent.
   *
   * @param refuse answers the request instead, where its address has too many under way
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse & { readonly req: IncomingMessage },
    handler: RequestListener,
    refuse: (request: IncomingMessage, response: ServerResponse, error: PublicError) => void,
  ): void {
    if (!this.#ofProxies.has(request.socket)) {
      handler(request, response);
      return;
    }
    const address = this.#options.trustedProxies.addressOf(request);
    if (this.#requests.isAddressFull(address)) {
      refuse(request, response, TOO_MANY);
      return;
    }
    handler(request, response);
    if (!response.writableEnded) response.on("close", this.#requests.enter(address));
  }
}
