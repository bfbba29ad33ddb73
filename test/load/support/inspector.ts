import { once } from "node:events";
import type { RunningProcess } from "../../support/processes/child-process.ts";

/** Environment of a process whose heap an `Inspector` measures. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /^Debugger listening on (ws:\S+)$/;

/** A client of the inspector protocol of a Node process. */
export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Connects to a process. @param inspected a process started with `INSPECTED` */
  static async connect(inspected: RunningProcess): Promise<Inspector> {
    const [, url = ""] = await inspected.waitForLine(LISTENING);
    const socket = new WebSocket(url);
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** Collects garbage. @returns the bytes in use after it */
  async heapAfterCollection(): Promise<number> {
    await this.#call("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#call("Runtime.getHeapUsage");
    return Number(usedSize);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  async #call(method: string): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#calls;
    this.#socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [event] = await once(this.#socket, "message");
      const message = JSON.parse(event.data);
      if (message.id === id) return message.result;
    }
  }
}
