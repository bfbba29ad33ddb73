import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an HTTP server that counts what is asked of it at once. */
export class InFlightProxy implements AsyncDisposable {
  /** Requests so far. */
  requests = 0;
  /** Requests at once, at most. */
  most = 0;
  #inFlight = 0;
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const end = this.#begin();
      outgoing.once("close", end);
      const headers = { "content-type": "application/json" };
      const forwarded = httpRequest(target, { method: "POST", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        // Before its last byte leaves: whoever has the whole answer may send the next request.
        answer.once("end", end);
        answer.pipe(outgoing);
      });
      forwarded.once("error", () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
  }

  static async start(target: string): Promise<InFlightProxy> {
    const proxy = new InFlightProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Counts a request. @returns what counts its end, once however often it is called */
  #begin(): () => void {
    this.requests += 1;
    this.#inFlight += 1;
    this.most = Math.max(this.most, this.#inFlight);
    let isOpen = true;
    return () => {
      if (isOpen) this.#inFlight -= 1;
      isOpen = false;
    };
  }
}
