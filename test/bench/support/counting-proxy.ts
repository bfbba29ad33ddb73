import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of a node that counts its requests. */
export interface CountingProxy {
  readonly url: string;
  /** The number of JSON-RPC requests so far. Each request of a batch counts. */
  requests(): number;
  /** The number of HTTP requests so far: a batch is one. */
  posts(): number;
  close(): Promise<void>;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let [requests, posts] = [0, 0];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests += countCalls(body);
    posts += 1;
    const headers = { "content-type": "application/json", "content-length": body.length };
    const forwarded = httpRequest(target, { method: "POST", headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { "content-type": "application/json" });
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    posts: () => posts,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function countCalls(body: Buffer): number {
  const calls: unknown = JSON.parse(body.toString());
  return Array.isArray(calls) ? calls.length : 1;
}
