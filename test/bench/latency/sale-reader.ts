import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A revision that arrived, and when (`performance.now`). */
interface Arrival {
  readonly revision: bigint;
  readonly at: number;
}

interface Waiting {
  readonly revision: bigint;
  readonly resolve: (arrival: Arrival) => void;
}

/** A client of a sale's stream at a gateway. It records only which revision arrived when. */
export class SaleReader {
  readonly #socket: Socket;
  readonly #arrivals: Arrival[] = [];
  #waiting: Waiting[] = [];
  #text = "";
  #id = 0n;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay();
    socket.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
  }

  /** Opens a stream and waits for its body. @param url the URL of a stream on this machine */
  static async open({ hostname, port, host, pathname }: URL): Promise<SaleReader> {
    const socket = connect({ host: hostname, port: Number(port) });
    const reader = new SaleReader(socket);
    await once(socket, "connect");
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await reader.reached(1n);
    return reader;
  }

  /** The time of the last event. */
  get lastAt(): number {
    return this.#arrivals.at(-1)?.at ?? -Infinity;
  }

  /** Waits for an event with this revision or a later one. @returns the time of that event */
  async reached(revision: bigint): Promise<number> {
    const found = this.#arrivals.findLast((arrival, index, all) => {
      return arrival.revision >= revision && (all[index - 1]?.revision ?? -1n) < revision;
    });
    if (found !== undefined) return found.at;
    const { promise, resolve } = Promise.withResolvers<Arrival>();
    this.#waiting.push({ revision, resolve });
    return (await promise).at;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) {
      // An empty line ends an event.
      if (line === "" && this.#id > 0n) this.#arrive();
      const id = /^id: [0-9a-f]{16}-(\d+)$/.exec(line)?.[1];
      if (id !== undefined) this.#id = BigInt(id);
    }
  }

  #arrive(): void {
    const arrival = { revision: this.#id, at: performance.now() };
    this.#id = 0n;
    this.#arrivals.push(arrival);
    const isDone = ({ revision }: Waiting) => revision <= arrival.revision;
    for (const { resolve } of this.#waiting.filter(isDone)) resolve(arrival);
    this.#waiting = this.#waiting.filter((waiting) => !isDone(waiting));
  }
}
