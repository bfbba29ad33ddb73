import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { selfSignedCertificate } from "../../support/processes/tls-certificate.ts";
import type { KubeApi } from "./api.ts";

/** The path by which the API server asks a kubelet for the log of a container. */
const LOGS = /^\/containerLogs\/[^/]+\/([^/]+)\/([^/?]+)(\?.*)?$/;

/** A node of the cluster that answers `kubectl logs`; nothing is scheduled to it. */
export class NodeLogs {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param processOf the process of a container */
  static async start(
    api: KubeApi,
    node: string,
    processOf: (pod: string, container: string) => RunningProcess | undefined,
  ): Promise<NodeLogs> {
    const server = createServer(await selfSignedCertificate("localhost"), async ({ url = "" }, response) => {
      const [, pod = "", container = "", query = ""] = LOGS.exec(url) ?? [];
      const running = processOf(pod, container);
      if (running === undefined) return void response.writeHead(400).end(`container ${container} is waiting to start`);
      if (query.includes("follow=true")) await running.exited;
      response.end(running.output());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await api.create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: node } });
    await api.patch(`/api/v1/nodes/${node}/status`, {
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: (server.address() as AddressInfo).port } },
      },
    });
    return new NodeLogs(server);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
