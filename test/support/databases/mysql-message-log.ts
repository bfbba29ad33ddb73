import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

const HEADER_BYTES = 4;
const COM_QUERY = 3;

/** A proxy in front of a MySQL server that notes the statements of each message, and can break connections. */
export class MysqlMessageLog implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #messages: string[] = [];

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const server = connect({ host: target.hostname, port: Number(target.port) });
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
        from.pipe(to);
      }
      this.#note(client);
    });
  }

  static async start(url: string): Promise<MysqlMessageLog> {
    const log = new MysqlMessageLog(new URL(url));
    log.#server.listen(0, "127.0.0.1");
    await once(log.#server, "listening");
    return log;
  }

  /** The server's URL, through the proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return proxied.href;
  }

  /** The messages since the last call, without those that prepare a connection. */
  take(): readonly string[] {
    const taken = this.#messages.filter((message) => !message.startsWith("set session"));
    this.#messages = [];
    return taken;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.breakConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** A packet is a length of three bytes, a number within its message, and the body. A command's number is 0. */
  #note(client: Socket): void {
    let received: Buffer = Buffer.alloc(0);
    client.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_BYTES && received.length >= HEADER_BYTES + received.readUIntLE(0, 3)) {
        const end = HEADER_BYTES + received.readUIntLE(0, 3);
        if (received[3] === 0 && received[HEADER_BYTES] === COM_QUERY) {
          this.#messages.push(received.toString("utf8", HEADER_BYTES + 1, end));
        }
        received = received.subarray(end);
      }
    });
  }
}
