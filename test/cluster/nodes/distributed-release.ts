import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import type { ClusterAccess } from "../support/api.ts";
import { commandsBelow, sectionOf } from "../support/page-sections.ts";
import { CaseNamespace } from "./case-namespace.ts";
import { HOST, REGISTRY_PORT } from "./network.ts";
import { CHAIN, chainsSecret, OUTSIDE_PORTS, OutsideServers } from "./outside.ts";

/** Ports of the components' calls. */
export const PORTS: Readonly<Record<string, number>> = {
  gateway: 8080,
  commitments: 8081,
  indexer: 8082,
  auth: 8083,
  entities: 8084,
};

/** The port at which gateways tell the operator how they are. */
export const STATUS_PORT = 8085;

/** Values by which pods request less CPU: all nodes have the same, and a pod that fits on one node only goes there. */
const SMALL = Object.keys(PORTS)
  .map((component) => `${component}: { resources: { requests: { cpu: 50m } } }`)
  .join("\n");

/** The host of `urls.auth` in docs/kubernetes.md. */
export const PUBLIC_HOST = "sale.example.com";

/** The default installation, or that of values-ha.yaml. */
export type ReleaseSize = "small" | "ha";

/** The components in pods of their own, installed as docs/kubernetes.md says, with the servers that they need beside the cluster. */
export class DistributedRelease {
  readonly namespace: CaseNamespace;
  readonly outside: OutsideServers;

  private constructor(namespace: CaseNamespace, outside: OutsideServers) {
    this.namespace = namespace;
    this.outside = outside;
  }

  /** Makes the namespace and starts the servers; installs nothing yet. @param size `ha`: with a cluster of NATS servers */
  static async prepare(nodes: ClusterAccess, name: string, size: ReleaseSize = "small"): Promise<DistributedRelease> {
    const namespace = await CaseNamespace.create(nodes, name);
    return new DistributedRelease(namespace, await OutsideServers.start(namespace.api, size === "ha"));
  }

  /**
   * Installs the chart, waits until all is ready, and runs the chart's own test.
   *
   * @param set more values, for `--set`
   * @param size `ha`: with values-ha.yaml, as the page does
   */
  async install(set: readonly string[] = [], size: ReleaseSize = "small"): Promise<void> {
    const page = readRepository("docs/kubernetes.md");
    // The mail server takes no password without TLS.
    const secrets = commandsBelow(page, "Secrets").map((command) => command.replace("user:password@smtp", "smtp"));
    await this.namespace.run([...secrets, chainsSecret(this.outside)].join("\n"));
    const [values = ""] = codeBlocks(sectionOf(page, "Install"), "yaml").map(({ code }) => code);
    const file = join(this.namespace.folder.path, "your-values.yaml");
    const own = [values.replace("sha256:…", await imageDigest()), `chains: { secretName: ${CHAIN.secret} }`, SMALL];
    await writeFile(file, own.join("\n"));
    const [install = "", ...others] = commandsBelow(page, "Install");
    const here = size === "ha" ? install : install.replace("--values deploy/helm/tidemark/values-ha.yaml ", "");
    const more = flagsOf([`networkPolicy.chains.ports={${OUTSIDE_PORTS.node}}`, ...set]);
    await this.namespace.run(here.replace("your-values.yaml", `${file}${more} --wait --wait-for-jobs --timeout 10m`));
    for (const command of others) await this.namespace.run(`${command} --timeout 10m`);
  }

  /** Output of the operator's command, run in the cluster as the page says. @throws Error with its output, if it fails */
  async operate(command: string): Promise<string> {
    const section = sectionOf(readRepository("docs/kubernetes.md"), "The operator's command");
    const [inCluster = ""] = codeBlocks(section, "bash").map(({ code }) => code);
    return (await this.namespace.run(inCluster.replace(/^tidemark .+$/m, () => `tidemark ${command}`))).trim();
  }

  /** Upgrades to changed values, and waits until all is ready and no old pod is left in service. */
  async upgrade(...set: readonly string[]): Promise<void> {
    await this.namespace.run(upgradeCommand("10m", set));
    await this.untilRolledOut();
  }

  /** Upgrades to changed values, which fails after this time. @returns what helm says */
  async failingUpgrade(timeout: string, ...set: readonly string[]): Promise<string> {
    return this.namespace.run(`! ${upgradeCommand(timeout, set)} 2>&1`);
  }

  /** Waits until new pods have replaced all old ones: helm goes on as soon as the new ones are ready. */
  async untilRolledOut(): Promise<void> {
    const commands = Object.keys(PORTS).map(
      (name) => `kubectl rollout status deployment/tidemark-${name} --timeout=8m`,
    );
    await this.namespace.run(commands.join("\n"));
  }

  /** URL of the gateway's Service. */
  async gatewayUrl(): Promise<string> {
    const { spec } = await this.namespace.api.get(
      `/api/v1/namespaces/${this.namespace.name}/services/tidemark-gateway`,
    );
    return `http://${spec.clusterIP}`;
  }

  /** The pods of components that run, and aren't about to end. */
  async runningPods(): Promise<readonly KubernetesObject[]> {
    return (await this.#pods()).filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase === "Running",
    );
  }

  /** The running pods of a component whose containers are ready. */
  async readyPods(component: string): Promise<readonly KubernetesObject[]> {
    return (await this.runningPods()).filter((pod) => componentOf(pod) === component && isReady(pod));
  }

  async podNames(): Promise<readonly string[]> {
    return (await this.runningPods()).map(({ metadata }) => metadata.name);
  }

  /** Address and port of each ready pod of a component. */
  async addressesOf(component: string): Promise<readonly string[]> {
    const pods = await this.readyPods(component);
    return pods.map(({ status }) => `${status.podIP}:${PORTS[component]}`);
  }

  async uninstall(): Promise<void> {
    await this.namespace.run("helm uninstall tidemark --wait --timeout 10m");
  }

  /** Deletes the namespace with all that is in it, which goes on afterwards, and ends the servers. */
  async remove(): Promise<void> {
    try {
      await this.namespace.run(`kubectl delete namespace ${this.namespace.name} --wait=false`);
    } finally {
      await this.stop();
    }
  }

  async stop(): Promise<void> {
    this.namespace.close();
    await this.outside.stop();
  }

  async #pods(): Promise<readonly KubernetesObject[]> {
    const { items } = await this.namespace.api.get(`/api/v1/namespaces/${this.namespace.name}/pods`);
    return items.filter((pod: KubernetesObject) => componentOf(pod) in PORTS);
  }
}

/** The component that a pod is of; empty for others. */
export function componentOf({ metadata }: KubernetesObject): string {
  return metadata.labels?.["app.kubernetes.io/component"] ?? "";
}

/** The number of pods of the gateway that are well by the output of `tidemark status`. */
export function wellGateways(status: string): number {
  return [...status.matchAll(/^well +gateway tidemark-gateway-\S+ +ready; /gm)].length;
}

/** Whether all containers of a pod are ready. */
export function isReady({ status }: KubernetesObject): boolean {
  return status.conditions.some(
    ({ type, status: value }: { type: string; status: string }) => type === "Ready" && value === "True",
  );
}

function upgradeCommand(timeout: string, set: readonly string[]): string {
  return `helm upgrade tidemark deploy/helm/tidemark --reuse-values${flagsOf(set)} --wait --wait-for-jobs --timeout ${timeout}`;
}

function flagsOf(set: readonly string[]): string {
  return set.map((each) => ` --set '${each}'`).join("");
}

async function imageDigest(): Promise<string> {
  const { headers } = await fetch(`http://${HOST}:${REGISTRY_PORT}/v2/tidemark/manifests/any`, { method: "HEAD" });
  return headers.get("docker-content-digest") ?? "";
}
