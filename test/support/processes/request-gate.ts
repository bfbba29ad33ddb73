import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an HTTP server that lets a number of requests pass, and holds back those that come after them. */
export class RequestGate implements AsyncDisposable {
  readonly #target: string;
  readonly #server: Server;
  readonly #held: (() => void)[] = [];
  readonly #reached = Promise.withResolvers<void>();
  #left: number;

  private constructor(target: string, passes: number) {
    this.#target = target;
    this.#left = passes;
    this.#server = createServer((incoming, outgoing) => {
      const forward = () => this.#forward(incoming, outgoing);
      if (this.#left > 0) {
        this.#left -= 1;
        forward();
        return;
      }
      this.#held.push(forward);
      this.#reached.resolve();
    });
  }

  /** @param target the URL of the server. @param passes the number of requests that pass at first */
  static async start(target: string, passes: number): Promise<RequestGate> {
    const gate = new RequestGate(target, passes);
    gate.#server.listen(0, "127.0.0.1");
    await once(gate.#server, "listening");
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves once a request is held back: one who sends a request after the other has the answers to all that passed. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Lets one of the requests pass that are held back. */
  passOne(): void {
    this.#held.shift()?.();
  }

  /** Breaks all connections off. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, headers, url } = incoming;
    const forwarded = httpRequest(new URL(url ?? "/", this.#target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once("error", () => outgoing.destroy());
    });
    forwarded.once("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  }
}
