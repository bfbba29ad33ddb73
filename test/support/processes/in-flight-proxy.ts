import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an HTTP server that counts what is asked of it at once. */
export class InFlightProxy implements AsyncDisposable {
  /** Beginnings (1) and ends (-1) of the requests, in their order. */
  readonly #steps: { request: object; change: 1 | -1 }[] = [];
  readonly #answered = new Set<object>();
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const request = {};
      this.#steps.push({ request, change: 1 });
      const headers = { "content-type": "application/json" };
      const forwarded = httpRequest(target, { method: "POST", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        // Before its last byte leaves: whoever has the whole answer may send the next request.
        answer.once("end", () => {
          if (!outgoing.destroyed) this.#answered.add(request);
          this.#steps.push({ request, change: -1 });
        });
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
   * Returns the most requests at once, of those whose answers were awaited to the end. A client may give another one up and send the
   * next, and the next may be here before the end of the connection that was given up.
   */
  mostAtOnce(): number {
    let [most, now] = [0, 0];
    for (const { request, change } of this.#steps) {
      if (!this.#answered.has(request)) continue;
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
