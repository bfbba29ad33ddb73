import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";
import { type ClusterAccess, KubeApi } from "../support/api.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { clusterProgram, givenProgram } from "../support/programs.ts";
import { programImage, tidemarkImage } from "./images.ts";
import { DNS_ADDRESS, HOST, POD_NETWORK, REGISTRY_PORT, SERVICE_NETWORK } from "./network.ts";
import { Node } from "./node.ts";
import { StaticRegistry } from "./registry.ts";

const PROXY = "system:kube-proxy";
const SCHEDULER = "system:kube-scheduler";

/**
 * A cluster with real nodes on a host that host.sh made: `startNodes(n)` gives access as an administrator once all nodes are
 * Ready, with Services, names, network policies and the image `registry.example.com/tidemark`. A test reaches pods, Services
 * and the API server directly; pods reach what it opens at `HOST`, by the names in `OUTSIDE`.
 */
export interface Nodes {
  readonly access: ClusterAccess;
  readonly names: readonly string[];
  /** Seconds of each phase of the start. */
  readonly seconds: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Names outside of the cluster, all at `HOST`. */
export const OUTSIDE = ["host", "smtp.example.com", "nats.example.com"];

export async function startNodes(count: number): Promise<Nodes> {
  // It goes with the host: file systems of pods are mounted below it.
  const folder = await temporaryFolder();
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  const seconds: Record<string, number> = {};
  const timed = async <Result>(phase: string, work: () => Promise<Result>) => {
    const begin = performance.now();
    const result = await work();
    seconds[phase] = Math.round((performance.now() - begin) / 100) / 10;
    return result;
  };
  try {
    const names = Array.from({ length: count }, (_, index) => `node-${index}`);
    const registry = await timed("images", () => startRegistry(folder.path));
    stops.push(() => registry.stop());
    const cluster = await timed("control plane", () => startControlPlane(names));
    stops.push(() => cluster.stop());
    const api = new KubeApi(cluster.access);
    stops.push(async () => api.close());
    const servers = await startServers(cluster, folder.path);
    stops.push(() => Promise.all(servers.map((server) => server.kill())));
    await timed("nodes", async () => {
      const nodes = await Promise.all(
        names.map((name, index) =>
          Node.start({
            api,
            name,
            kubeconfig: kubeconfigOf(cluster, `system:node:${name}`),
            folder: join(folder.path, name),
            ports: 10_250 + 10 * index,
          }),
        ),
      );
      stops.push(() => Promise.all(nodes.map((node) => node.die())));
      await until(async () => (await readyNodes(api)).length === count);
    });
    await timed("names and policies", async () => {
      await createDnsService(api);
      const others = [await startDns(cluster, folder.path), await startPolicies(cluster, names[0] ?? "")];
      stops.push(() => Promise.all(others.map((server) => server.kill())));
    });
    return { access: cluster.access, names, seconds, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRegistry(folder: string): Promise<StaticRegistry> {
  const images = new Map([
    ["tidemark", await tidemarkImage(join(folder, "tidemark"))],
    ["pause", await programImage("pause", join(folder, "pause"))],
  ]);
  if (givenProgram("traefik") !== undefined) {
    images.set("traefik", await programImage("traefik", join(folder, "traefik")));
  }
  return StaticRegistry.start(images, HOST, REGISTRY_PORT);
}

function startControlPlane(names: readonly string[]): Promise<Cluster> {
  const nodeUsers = names.map((name) => [`system:node:${name}`, "system:nodes"] as const);
  return startCluster({
    address: HOST,
    // The chart's policies name this port.
    port: 6443,
    controllers: ["*"],
    users: { ...Object.fromEntries(nodeUsers), [PROXY]: "system:authenticated", [SCHEDULER]: "system:authenticated" },
    apiServer: {
      "authorization-mode": "Node,RBAC",
      "enable-admission-plugins": "NodeRestriction",
      "kubelet-preferred-address-types": "InternalIP",
    },
    controllerManager: {
      "allocate-node-cidrs": true,
      "cluster-cidr": POD_NETWORK,
      "service-cluster-ip-range": SERVICE_NETWORK,
    },
  });
}

function startServers(cluster: Cluster, folder: string): Promise<RunningProcess[]> {
  return Promise.all([startScheduler(cluster), startProxy(cluster, folder)]);
}

function startScheduler(cluster: Cluster): Promise<RunningProcess> {
  const kubeconfig = kubeconfigOf(cluster, SCHEDULER);
  const access = ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"];
  const args = [...access.map((flag) => `--${flag}=${kubeconfig}`), "--leader-elect=false", "--secure-port=0"];
  return startProcess({ command: clusterProgram("kube-scheduler"), args });
}

async function startProxy(cluster: Cluster, folder: string): Promise<RunningProcess> {
  const file = join(folder, "kube-proxy.json");
  const configuration = {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    clientConnection: { kubeconfig: kubeconfigOf(cluster, PROXY) },
    mode: "iptables",
    clusterCIDR: POD_NETWORK,
    hostnameOverride: "node-0",
    // The limits of connections are the machine's, not this host's.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    iptables: { minSyncPeriod: "100ms" },
    healthzBindAddress: `${HOST}:10256`,
    metricsBindAddress: "127.0.0.1:10249",
  };
  await writeFile(file, JSON.stringify(configuration));
  return startProcess({ command: clusterProgram("kube-proxy"), args: [`--config=${file}`] });
}

/** Names of Services and pods for all, and those of `OUTSIDE`. */
async function startDns(cluster: Cluster, folder: string): Promise<RunningProcess> {
  const file = join(folder, "Corefile");
  await writeFile(
    file,
    `cluster.local:53 in-addr.arpa:53 {
  bind ${HOST}
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${cluster.access.kubeconfig}
    ttl 1
  }
}
.:53 {
  bind ${HOST}
  errors
  template IN A {
    match "^(?:${OUTSIDE.map((name) => name.replaceAll(".", "[.]")).join("|")})[.]$"
    answer "{{ .Name }} 60 IN A ${HOST}"
    fallthrough
  }
  template ANY ANY {
    rcode NXDOMAIN
  }
}
`,
  );
  return startProcess({ command: clusterProgram("coredns"), args: ["-conf", file], ready: /CoreDNS-/ });
}

async function createDnsService(api: KubeApi): Promise<void> {
  const ports = ["UDP", "TCP"].map((protocol) => ({ name: `dns-${protocol.toLowerCase()}`, protocol, port: 53 }));
  await api.create("/api/v1/namespaces/kube-system/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kube-dns" },
    spec: { clusterIP: DNS_ADDRESS, ports },
  });
  await createEndpoints(api, "kube-system", "kube-dns", ports);
}

/** Leads a Service without a selector to the host. */
export async function createEndpoints(
  api: KubeApi,
  namespace: string,
  service: string,
  ports: readonly { readonly name: string; readonly protocol: string; readonly port: number }[],
): Promise<void> {
  await api.create(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: service, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    endpoints: [{ addresses: [HOST], conditions: { ready: true } }],
    ports,
  });
}

/** It ends if the node isn't there yet, and then nothing is enforced. All nodes have one address, so one is enough for all. */
function startPolicies(cluster: Cluster, node: string): Promise<RunningProcess> {
  const flags = {
    kubeconfig: cluster.access.kubeconfig,
    "hostname-override": node,
    "run-firewall": true,
    "run-router": false,
    "run-service-proxy": false,
    "service-cluster-ip-range": SERVICE_NETWORK,
    "metrics-port": 0,
    "health-port": 0,
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const ready = /Starting network policy controller/;
  return startProcess({ command: clusterProgram("kube-router"), args, env: { NODE_NAME: node }, ready });
}

async function readyNodes(api: KubeApi): Promise<readonly string[]> {
  const { items } = await api.get("/api/v1/nodes");
  return items
    .filter(({ status }: { status: { conditions?: { type: string; status: string }[] } }) =>
      status.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
    )
    .map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

function kubeconfigOf(cluster: Cluster, user: string): string {
  const file = cluster.kubeconfigs.get(user);
  if (file === undefined) throw new Error(`${user} is no user of the cluster`);
  return file;
}
