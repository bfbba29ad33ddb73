import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A reverse proxy that passes requests on as an ingress controller does: under the host's name, each answer as it arrives. */
export class HostFront {
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param target URL of the gateway's Service @param host the host in `urls.auth` */
  static async start(target: string, host: string): Promise<HostFront> {
    const server = createServer((incoming, response) => passOn({ incoming, response, target, host }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new HostFront(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

interface PassedRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
  readonly host: string;
}

function passOn({ incoming, response, target, host }: PassedRequest): void {
  const { url = "/", method = "GET", headers } = incoming;
  const sent = request(new URL(url, target), {
    method,
    agent: false,
    headers: { ...headers, host, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" },
  });
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => response.destroy()).pipe(response);
  });
  sent.on("error", () => response.destroy());
  response.on("close", () => sent.destroy());
  incoming.pipe(sent);
}
