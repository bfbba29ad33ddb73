import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A proxy in front of an HTTP server that counts what is asked of it at once. */
export class InFlightProxy implements AsyncDisposable {
  /** Beginnings (1) and ends (-1) of the requests, in their order. */
  readonly #steps: { request: object; change: 1 | -1 }[] = [];
  /** The last request of each connection. */
  readonly #last = new Map<Socket, object>();
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const request = {};
      this.#steps.push({ request, change: 1 });
      this.#last.set(incoming.socket, request);
      const headers = { "content-type": "application/json" };
      const forwarded = httpRequest(target, { method: "POST", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        // Before its last byte leaves: whoever has the whole answer may send the next request.
        answer.once("end", () => this.#steps.push({ request, change: -1 }));
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

  /**
   * Returns the most requests at once. The last one of a connection that has ended doesn't count: its client may have given it up and
   * sent the next on another connection, which may be here before the end of the first one is.
   */
  mostAtOnce(): number {
    const givenUp = new Set(Array.from(this.#last).flatMap(([socket, request]) => (socket.destroyed ? [request] : [])));
    let [most, now] = [0, 0];
    for (const { request, change } of this.#steps) {
      if (givenUp.has(request)) continue;
      now += change;
      most = Math.max(most, now);
    }
    return most;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
