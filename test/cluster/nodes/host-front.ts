import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { request as requestByTls } from "node:https";
import type { AddressInfo } from "node:net";

/** A site by TLS, as a browser finds it: by a certificate for its host. */
export interface SecureSite {
  /** Address and port of who serves it. */
  readonly target: string;
  readonly host: string;
  /** PEM of the authority of its certificate. */
  readonly authority: string;
  /** Address from which it is asked. */
  readonly from: string;
  /** Headers with which each request claims something besides. */
  readonly claims: Readonly<Record<string, string>>;
}

/** Sends a request of a test on. */
type Ask = (incoming: IncomingMessage) => ReturnType<typeof request>;

/** Plain HTTP on the loopback network for clients of tests. It passes requests on, and each answer as it arrives. */
export class HostFront {
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /**
   * A stand-in for an ingress controller: it names the host, and an address of the client.
   *
   * @param target URL of the gateway's Service
   * @param host the host in `urls.auth`
   */
  static start(target: string, host: string): Promise<HostFront> {
    const added = { host, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    return HostFront.#listen(({ url = "/", method = "GET", headers }) =>
      request(new URL(url, target), { method, agent: false, headers: { ...headers, ...added } }),
    );
  }

  /** Leads to a site by TLS, each request on a connection of its own. */
  static toSecureSite({ target, host, authority, from, claims }: SecureSite): Promise<HostFront> {
    return HostFront.#listen(({ url = "/", method = "GET", headers }) =>
      requestByTls(new URL(url, `https://${target}`), {
        method,
        agent: false,
        headers: { ...headers, ...claims, host },
        servername: host,
        ca: authority,
        localAddress: from,
      }),
    );
  }

  static async #listen(ask: Ask): Promise<HostFront> {
    const server = createServer((incoming, response) => passOn(incoming, response, ask));
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

function passOn(incoming: IncomingMessage, response: ServerResponse, ask: Ask): void {
  const sent = ask(incoming);
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => response.destroy()).pipe(response);
  });
  sent.on("error", () => response.destroy());
  response.on("close", () => sent.destroy());
  incoming.pipe(sent);
}
