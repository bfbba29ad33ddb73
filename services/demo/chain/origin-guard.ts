import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { listen } from "../../../common/platform/http/listen.ts";

const HOST = "127.0.0.1";
const FORBIDDEN = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** A proxy of a local HTTP and WebSocket server that web pages can't use. */
export interface OriginGuard {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Sets the port of the server. Without one, requests are answered by 502. */
  lead(port: number | undefined): void;
  /** Closes the port and all connections. */
  close(): Promise<void>;
}

/**
 * Starts a guard in front of a server that trusts every program of this machine, such as anvil: it passes on no request of
 * a web page, which names its `Origin`, and none with the host of another name (DNS rebinding). Browsers let any page open
 * WebSockets to this machine, and anvil accepts them.
 *
 * @param port 0 means any free port
 * @throws Error if the port can't be listened on
 */
export async function startOriginGuard(port: number): Promise<OriginGuard> {
  let target: number | undefined;
  const streams = new Set<Duplex>();
  const server = createServer((incoming, response) => {
    if (!isLocalProgram(incoming)) response.writeHead(403).end();
    else forward(incoming, response, target);
  });
  server.on("connection", (socket) => {
    streams.add(socket);
    socket.once("close", () => streams.delete(socket));
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (target === undefined || !isLocalProgram(incoming)) socket.end(FORBIDDEN);
    else tunnel(incoming, socket, head, target);
  });
  const opened = await listen(server, { host: HOST, port });
  return {
    url: `http://${HOST}:${opened.port}`,
    lead: (next) => {
      target = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const stream of streams) stream.destroy();
      }),
  };
}

/** Whether a request comes from a program, or from a browser's extension such as a wallet, and not from a web page. */
function isLocalProgram({ headers: { host = "", origin }, socket }: IncomingMessage): boolean {
  const isOwnHost = [HOST, "localhost"].some((name) => host === `${name}:${socket.localPort}`);
  return isOwnHost && (origin === undefined || /^[a-z]+-extension:\/\//.test(origin));
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number | undefined): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ host: HOST, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on("close", () => outgoing.destroy());
  if (port === undefined) outgoing.destroy(new Error("no server"));
  else incoming.pipe(outgoing);
}

/** Passes on the request of a WebSocket as it was written, then all bytes in both directions. */
function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const upstream = connect({ host: HOST, port });
  const { method, url, rawHeaders } = incoming;
  const lines = rawHeaders.flatMap((text, index) => (index % 2 === 0 ? [`${text}: ${rawHeaders[index + 1]}`] : []));
  upstream.write([`${method} ${url} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  upstream.write(head);
  socket.pipe(upstream).pipe(socket);
  for (const [one, other] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }
}
