import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

/** A TCP proxy at 127.0.0.1 whose connections can be cut, held up and slowed down. */
export class TcpProxy implements AsyncDisposable {
  readonly #targets: number[];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #connections = 0;
  #isCut = false;
  #delayMs = 0;
  /** Pending while bytes are held back. */
  #hold: PromiseWithResolvers<void> | undefined;

  private constructor(targets: readonly number[]) {
    this.#targets = [...targets];
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#join(client));
  }

  /** @param targets ports of 127.0.0.1 to which connections go in turn */
  static async start(targets: readonly number[]): Promise<TcpProxy> {
    const proxy = new TcpProxy(targets);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** One more port to which connections go in turn. */
  addTarget(port: number): void {
    this.#targets.push(port);
  }

  /** Breaks every connection off, and each new one at once. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** Lets nothing through, in either direction, on connections that stay. */
  hold(): void {
    this.#hold ??= Promise.withResolvers();
  }

  /** Delays each chunk, one after another, in either direction. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Ends all of that; what was held back arrives. */
  mend(): void {
    this.#isCut = false;
    this.#delayMs = 0;
    this.#hold?.resolve();
    this.#hold = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    this.#hold?.resolve();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const port = this.#targets[this.#connections++ % this.#targets.length];
    if (this.#isCut || port === undefined) return void client.destroy();
    const target = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
    for (const socket of [client, target]) {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    }
    void this.#pass(client, target);
    void this.#pass(target, client);
  }

  /** Passes bytes on until one of the two has ended or failed; a failure ends both. */
  async #pass(from: Socket, to: Socket): Promise<void> {
    const gate = new Transform({
      transform: (chunk, _, done) => {
        void this.#wait().then(() => done(null, chunk));
      },
      flush: (done) => void this.#wait().then(() => done()),
    });
    try {
      await pipeline(from, gate, to);
    } catch {
      from.destroy();
      to.destroy();
    }
  }

  async #wait(): Promise<void> {
    if (this.#delayMs > 0) await delay(this.#delayMs);
    while (this.#hold !== undefined) await this.#hold.promise;
  }
}
