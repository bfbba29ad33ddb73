import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Changes a JSON answer in place. */
export type Tamper = (path: string, body: Record<string, unknown>) => void;

/** A proxy on loopback that passes requests on, and tampers with their JSON answers. */
export class TamperingProxy implements AsyncDisposable {
  tamper: Tamper = () => {};
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((request, response) => {
      this.#answer(`${target}${request.url}`, request).then(
        ({ status, headers, text }) => response.writeHead(status, headers).end(text),
        () => response.destroy(),
      );
    });
  }

  static async start(target: string): Promise<TamperingProxy> {
    const proxy = new TamperingProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(url: string, request: IncomingMessage) {
    const { method = "GET" } = request;
    const sent =
      method === "POST" ? { body: await text(request), headers: { "content-type": "application/json" } } : {};
    const answer = await fetch(url, { method, ...sent });
    const body = await answer.json();
    this.tamper(new URL(url).pathname, body);
    const headers: Record<string, string> = { "content-type": "application/json" };
    for (const name of ["etag", "tidemark-changed-block"]) {
      const value = answer.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    return { status: answer.status, headers, text: JSON.stringify(body) };
  }
}
