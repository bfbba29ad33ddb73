import { once } from "node:events";
import type { RunningProcess } from "./child-process.ts";

/** `NODE_OPTIONS` of a process whose heap is inspected. */
export const INSPECTED = "--inspect=127.0.0.1:0";

/** Bytes that a process which was started with `INSPECTED` holds, after its garbage was collected. */
export async function heldBytes(process: RunningProcess): Promise<number> {
  const [, url = ""] = await process.waitForLine(/^Debugger listening on (ws:\S+)$/);
  const socket = new WebSocket(url);
  try {
    await once(socket, "open");
    let id = 0;
    const call = async (method: string) => {
      id++;
      socket.send(JSON.stringify({ id, method }));
      for (;;) {
        const [{ data }] = await once(socket, "message");
        const answer = JSON.parse(data);
        if (answer.id === id) return answer.result;
      }
    };
    await call("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await call("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  } finally {
    socket.close();
  }
}
