import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import type { KubeApi } from "./api.ts";

/** A pod that runs at an address of the loopback network. */
export interface RunningPod {
  readonly pod: KubernetesObject;
  readonly address: string;
  readonly ready: boolean;
}

/** Names of Services, and of hosts outside of the cluster, as processes of this machine reach them. */
export class ServiceAddresses {
  readonly #api: KubeApi;
  readonly #namespace: string;
  readonly #pods: () => readonly RunningPod[];
  readonly #outside: ReadonlyMap<string, string>;
  readonly #proxies = new Map<string, Promise<Server>>();

  /**
   * @param pods those that run now
   * @param outside texts that settings hold, such as `nats.nats.svc:4222`, and what replaces them here
   */
  constructor(
    api: KubeApi,
    namespace: string,
    { pods, outside }: { readonly pods: () => readonly RunningPod[]; readonly outside: ReadonlyMap<string, string> },
  ) {
    this.#api = api;
    this.#namespace = namespace;
    this.#pods = pods;
    this.#outside = outside;
  }

  /** Replaces every such name in a text, `service.namespace.svc:port` among them. */
  async resolve(text: string): Promise<string> {
    let resolved = text;
    for (const [name, address] of this.#outside) resolved = resolved.replaceAll(name, address);
    const services = new RegExp(String.raw`([a-z0-9-]+)\.${this.#namespace}\.svc:(\d+)`, "g");
    for (const [name, service = "", port] of resolved.matchAll(services)) {
      resolved = resolved.replace(name, await this.addressOf(service, Number(port)));
    }
    return resolved;
  }

  /** Host and port at which a Service's port is reached here: each connection goes to the next pod that is ready. */
  async addressOf(service: string, port: number): Promise<string> {
    const key = `${service}:${port}`;
    const proxy = this.#proxies.get(key) ?? this.#listen(service, port);
    this.#proxies.set(key, proxy);
    return `127.0.0.1:${((await proxy).address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const proxy of this.#proxies.values()) (await proxy).close();
  }

  async #listen(service: string, port: number): Promise<Server> {
    const path = `/api/v1/namespaces/${this.#namespace}/services/${service}`;
    const { selector, ports } = (await this.#api.get(path))["spec"];
    const { targetPort } = ports.find((each: KubernetesObject) => each["port"] === port);
    let connections = 0;
    const server = createServer((client) => {
      const pods = this.#pods().filter(({ pod, ready }) => ready && isSelected(pod, selector));
      const next = pods[connections++ % pods.length];
      if (next === undefined) return void client.destroy();
      const upstream = connect(portOf(next.pod, targetPort), next.address);
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  }
}

function isSelected({ metadata }: KubernetesObject, selector: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([label, value]) => metadata.labels[label] === value);
}

/** The container's port of this name. */
export function portOf({ spec }: KubernetesObject, name: string): number {
  const ports: KubernetesObject[] = spec.containers.flatMap((container: KubernetesObject) => container["ports"] ?? []);
  const port = ports.find((each) => each["name"] === name);
  if (port === undefined) throw new Error(`no container has a port ${name}`);
  return port["containerPort"];
}
