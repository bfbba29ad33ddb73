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
      this.#begin();
      outgoing.once("close", () => {
        this.#inFlight -= 1;
      });
      const headers = { "content-type": "application/json" };
      const forwarded = httpRequest(target, { method: "POST", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, headers);
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

  #begin(): void {
    this.requests += 1;
    this.#inFlight += 1;
    this.most = Math.max(this.most, this.#inFlight);
  }
}
