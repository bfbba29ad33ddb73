import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { watchHeads } from "./watch-heads.ts";

/** RFC 6455, section 1.3. */
const WEBSOCKET_KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A WebSocket server that reads nothing and sends short texts. */
class AnnouncingServer implements AsyncDisposable {
  readonly #server = createServer();
  readonly #sockets: Duplex[] = [];
  #connected = Promise.withResolvers<Duplex>();

  constructor() {
    this.#server.on("upgrade", (request, socket) => {
      const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${WEBSOCKET_KEY_SUFFIX}`);
      const headers = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept.digest("base64")}`];
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join("\r\n")}\r\n\r\n`);
      socket.on("error", () => undefined);
      this.#sockets.push(socket);
      socket.once("data", () => this.#connected.resolve(socket));
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next connection, once its subscription has arrived. */
  async connection(): Promise<Duplex> {
    const socket = await this.#connected.promise;
    this.#connected = Promise.withResolvers();
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** A text frame of at most 125 bytes (RFC 6455, section 5.2). */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x81, text.length), Buffer.from(text)]);
}

describe("watchHeads", () => {
  it("calls back at each announcement, reconnects if the connection is lost, and ends with its signal", async () => {
    await using server = new AnnouncingServer();
    const stopping = new AbortController();
    let announced = Promise.withResolvers<void>();
    const watching = watchHeads(await server.listen(), () => announced.resolve(), stopping.signal);

    const first = await server.connection();
    first.write(frame('{"id":1,"result":"0x1"}'));
    first.write(frame('{"method":"eth_subscription","params":{}}'));
    await announced.promise;
    announced = Promise.withResolvers();
    first.destroy();

    const second = await server.connection();
    second.write(frame('{"method":"eth_subscription","params":{}}'));
    await announced.promise;
    stopping.abort();
    await watching;
    expect(stopping.signal.aborted).toBe(true);
  });
});
