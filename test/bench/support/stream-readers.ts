import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections made at once. */
const BATCH = 250;

/** The times (`performance.now`) at which the event of a revision reached the first and the last reader. */
interface Arrival {
  count: number;
  first: number;
  last: number;
  readonly everyone: PromiseWithResolvers<void>;
}

/** Many readers of one stream, which look only at the revision of events. */
export class StreamReaders {
  readonly #sockets: Socket[] = [];
  #receivedBytes = 0;
  readonly #arrivals = new Map<bigint, Arrival>();

  get size(): number {
    return this.#sockets.length;
  }

  /**
   * Opens streams and waits until each has the whole body of `revision`.
   *
   * @param url the URL of a stream on this machine
   * @param from the address of this machine that the readers have; the system's choice by default
   */
  async open(url: URL, readers: number, revision: bigint, from?: string): Promise<void> {
    for (let opened = 0; opened < readers; opened += BATCH) {
      await this.#openBatch(url, Math.min(BATCH, readers - opened), revision, from);
    }
  }

  async #openBatch(url: URL, readers: number, revision: bigint, from?: string): Promise<void> {
    const sockets = Array.from({ length: readers }, () => openStream(url, from));
    await Promise.all(sockets.map((socket) => reached(socket, revision)));
    for (const socket of sockets) socket.on("data", (chunk: Buffer) => this.#record(chunk));
    this.#sockets.push(...sockets);
  }

  /** Returns the milliseconds between the first and the last reader that has a revision. Call it before the revision exists. */
  async spread(revision: bigint): Promise<number> {
    const arrival = { count: 0, first: 0, last: 0, everyone: Promise.withResolvers<void>() };
    this.#arrivals.set(revision, arrival);
    await arrival.everyone.promise;
    this.#arrivals.delete(revision);
    return arrival.last - arrival.first;
  }

  /** The bytes that all readers have received since they had the whole body. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * Cuts all streams and opens as many at once, as after the loss of a gateway.
   *
   * @returns the milliseconds until the last of them has the whole body of `revision`
   */
  async reopen(url: URL, revision: bigint): Promise<number> {
    const readers = this.size;
    this.close();
    const begin = performance.now();
    await this.#openBatch(url, readers, revision);
    return performance.now() - begin;
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  /** Records an event. The events of this benchmark are so small that each is a single chunk. */
  #record(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    const revision = /^id: [0-9a-f]{16}-(\d+)$/m.exec(chunk.toString("latin1"))?.[1];
    const arrival = revision === undefined ? undefined : this.#arrivals.get(BigInt(revision));
    if (arrival === undefined) return;
    arrival.last = performance.now();
    if (arrival.count === 0) arrival.first = arrival.last;
    arrival.count++;
    if (arrival.count === this.size) arrival.everyone.resolve();
  }
}

function openStream({ hostname, port, host, pathname }: URL, from: string | undefined): Socket {
  const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) });
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
