import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * Distributes connections over replicas, like a Kubernetes Service. Connections to a replica that is removed stay open.
 */
export class Balancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #ports: readonly number[] = [];
  #connections = 0;

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#join(client));
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(port: number): void {
    this.#ports = [...this.#ports, port];
  }

  /** Sends no new connections to a port. */
  remove(port: number): void {
    this.#ports = this.#ports.filter((each) => each !== port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    this.#keep(client);
    const port = this.#ports[this.#connections % this.#ports.length];
    this.#connections += 1;
    if (port === undefined) {
      client.destroy();
      return;
    }
    const replica = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    this.#keep(replica);
    client.pipe(replica).pipe(client);
    client.once("close", () => replica.destroy());
    replica.once("close", () => client.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    // Closes the other end, too.
    socket.on("error", () => socket.destroy());
  }
}
