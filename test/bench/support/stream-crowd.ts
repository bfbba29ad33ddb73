import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections made at once. */
const BATCH = 250;

/** When the event of a revision came to the first and the last of a crowd, by `performance.now`. */
interface Arrival {
  count: number;
  first: number;
  last: number;
  readonly everyone: PromiseWithResolvers<void>;
}

/** Many readers of one stream, who only look which revision came. */
export class StreamCrowd {
  readonly #sockets: Socket[] = [];
  readonly #arrivals = new Map<bigint, Arrival>();

  get size(): number {
    return this.#sockets.length;
  }

  /** Done when so many more have got the whole body of `revision`. @param url of a stream on this machine */
  async grow(url: URL, readers: number, revision: bigint): Promise<void> {
    for (let opened = 0; opened < readers; opened += BATCH) {
      const sockets = Array.from({ length: Math.min(BATCH, readers - opened) }, () => openStream(url));
      await Promise.all(sockets.map((socket) => reached(socket, revision)));
      for (const socket of sockets) socket.on("data", (chunk: Buffer) => this.#note(chunk));
      this.#sockets.push(...sockets);
    }
  }

  /** Milliseconds between the first reader's having a revision and the last one's. To be called before it is there. */
  async spread(revision: bigint): Promise<number> {
    const arrival = { count: 0, first: 0, last: 0, everyone: Promise.withResolvers<void>() };
    this.#arrivals.set(revision, arrival);
    await arrival.everyone.promise;
    this.#arrivals.delete(revision);
    return arrival.last - arrival.first;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** An event of this benchmark is so small that it comes in one piece. */
  #note(chunk: Buffer): void {
    const revision = /^id: [0-9a-f]{16}-(\d+)$/m.exec(chunk.toString("latin1"))?.[1];
    const arrival = revision === undefined ? undefined : this.#arrivals.get(BigInt(revision));
    if (arrival === undefined) return;
    arrival.last = performance.now();
    if (arrival.count === 0) arrival.first = arrival.last;
    arrival.count++;
    if (arrival.count === this.size) arrival.everyone.resolve();
  }
}

function openStream({ hostname, port, host, pathname }: URL): Socket {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}

/** Waits for the end of the event that brings a revision. */
async function reached(socket: Socket, revision: bigint): Promise<void> {
  let text = "";
  while (!(text.includes(`-${revision}\ndata: `) && text.endsWith("\n\n"))) {
    const [chunk] = await once(socket, "data");
    text = (text + chunk.toString("latin1")).slice(-100_000);
  }
}
