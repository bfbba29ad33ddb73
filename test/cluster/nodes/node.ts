import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { untilDefined } from "../../support/repository/polling.ts";
import type { KubeApi } from "../support/api.ts";
import { clusterProgram } from "../support/programs.ts";
import { createCgroup } from "./cgroups.ts";
import { DNS_ADDRESS, HOST, REGISTRY, REGISTRY_PORT } from "./network.ts";
import { kill, podProcessesOf, socketOf } from "./node-processes.ts";

/** Debian's. */
const CNI_PROGRAMS = "/usr/lib/cni";

/** Parts that a node is made from. */
export interface NodeOptions {
  readonly api: KubeApi;
  readonly name: string;
  readonly kubeconfig: string;
  /** Folder of all its files. */
  readonly folder: string;
  /** Its ports are free ones from this number on, ten at most. */
  readonly ports: number;
}

/** A kubelet and a containerd, with a bridge for the pods. Ready a moment after `start`. */
export class Node {
  readonly name: string;
  readonly #servers: readonly RunningProcess[];

  private constructor(name: string, servers: readonly RunningProcess[]) {
    this.name = name;
    this.#servers = servers;
  }

  static async start(options: NodeOptions): Promise<Node> {
    const { folder, name } = options;
    for (const each of ["cni", "addresses", "registries", "volume-plugins"])
      await mkdir(join(folder, each), { recursive: true });
    const cgroup = createCgroup(name);
    const containerd = await startContainerd(folder, name);
    const kubelet = await startKubelet(options, cgroup);
    const subnet = await assignedSubnet(options);
    await writeFile(join(folder, "cni", "10-bridge.conflist"), JSON.stringify(bridge(options, subnet)));
    return new Node(name, [kubelet, containerd]);
  }

  /** Ends all at once, its pods' processes too, as a machine does that loses power. */
  async die(): Promise<void> {
    for (const server of this.#servers) server.signal("SIGKILL");
    for (const pid of podProcessesOf(this.name)) kill(pid);
    await Promise.all(this.#servers.map((server) => server.exited));
  }
}

async function startContainerd(folder: string, name: string): Promise<RunningProcess> {
  await mkdir(join(folder, "registries", REGISTRY));
  const registry = `http://${HOST}:${REGISTRY_PORT}`;
  await writeFile(
    join(folder, "registries", REGISTRY, "hosts.toml"),
    `server = "${registry}"\n[host."${registry}"]\n  capabilities = ["pull", "resolve"]\n`,
  );
  const file = join(folder, "containerd.toml");
  await writeFile(file, containerdConfiguration(folder, name));
  return startProcess({ command: "containerd", args: ["--config", file], ready: /containerd successfully booted/ });
}

function containerdConfiguration(folder: string, name: string): string {
  const cri = `plugins."io.containerd.grpc.v1.cri"`;
  // A process may lower its own score of the kernel's out-of-memory killer only with CAP_SYS_RESOURCE.
  return `
version = 2
root = "${join(folder, "containerd")}"
state = "/run/${name}"
[grpc]
  address = "${socketOf(name)}"
[${cri}]
  sandbox_image = "${REGISTRY}/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
[${cri}.containerd]
  snapshotter = "overlayfs"
[${cri}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
  SystemdCgroup = false
[${cri}.cni]
  bin_dir = "${CNI_PROGRAMS}"
  conf_dir = "${join(folder, "cni")}"
[${cri}.registry]
  config_path = "${join(folder, "registries")}"
`;
}

async function startKubelet({ name, folder, kubeconfig, ports }: NodeOptions, cgroup: string): Promise<RunningProcess> {
  const hostNames = join(folder, "resolv.conf");
  await writeFile(hostNames, "");
  const file = join(folder, "kubelet.json");
  const configuration = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: HOST,
    port: ports,
    healthzPort: 0,
    containerRuntimeEndpoint: `unix://${socketOf(name)}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: cgroup,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: "cluster.local",
    resolvConf: hostNames,
    makeIPTablesUtilChains: false,
    podLogsDir: join(folder, "logs"),
    volumePluginDir: join(folder, "volume-plugins"),
    // Nobody else reaches the host's network.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    serializeImagePulls: false,
    imageGCHighThresholdPercent: 100,
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
  };
  await writeFile(file, JSON.stringify(configuration));
  const flags = {
    config: file,
    kubeconfig,
    "root-dir": join(folder, "kubelet"),
    "cert-dir": join(folder, "kubelet-certificates"),
    "hostname-override": name,
    "node-ip": HOST,
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  return startProcess({ command: clusterProgram("kubelet"), args, ready: /Started kubelet/ });
}

/** The part of the pods' network that the controllers give to a node. */
function assignedSubnet({ api, name }: NodeOptions): Promise<string> {
  return untilDefined(async () => {
    const { items } = await api.get("/api/v1/nodes");
    return items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name)?.spec.podCIDR;
  });
}

function bridge({ name, folder }: NodeOptions, subnet: string) {
  const ipam = {
    type: "host-local",
    dataDir: join(folder, "addresses"),
    ranges: [[{ subnet }]],
    routes: [{ dst: "0.0.0.0/0" }],
  };
  const plugin = { type: "bridge", bridge: `${name}-br`, isGateway: true, ipMasq: false, hairpinMode: true, ipam };
  return { cniVersion: "0.4.0", name: "bridge", plugins: [plugin] };
}
