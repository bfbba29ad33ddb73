import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawConnection {
  readonly socket: Socket;
  /** Resolves with everything received, as soon as that contains the text. */
  received(text: string): Promise<string>;
  /** Resolves with everything received, once the server has closed the connection. */
  closed(): Promise<string>;
}

/** A TCP connection to which a test writes raw bytes. */
export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  const closing = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  const received = async (part: string): Promise<string> => {
    while (!text.includes(part)) {
      if (socket.closed) throw new Error(`the connection closed after ${JSON.stringify(text)}`);
      await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closing]);
    }
    return text;
  };
  return { socket, received, closed: () => closing.then(() => text) };
}
