import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { KubernetesObject } from "../../../support/repository/chart.ts";
import { codeBlocks } from "../../../support/repository/markdown.ts";
import { SOON } from "../../../support/repository/polling.ts";
import { readRepository } from "../../../support/repository/repository.ts";
import { objectsIn } from "../../support/namespaces.ts";
import { commandsBelow, sectionOf } from "../../support/page-sections.ts";
import { CaseNamespace } from "../case-namespace.ts";
import { reachableFrom, startStranger } from "../connections.ts";
import { HOST, REGISTRY_PORT } from "../network.ts";
import { OutsideServers } from "../outside.ts";
import { Readers } from "../readers.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PORTS: Readonly<Record<string, number>> = {
  gateway: 8080,
  commitments: 8081,
  indexer: 8082,
  auth: 8083,
  entities: 8084,
};
const DATABASE = `${HOST}:3306`;
const BUS = `${HOST}:4222`;
const MAIL = `${HOST}:587`;

/** All that a component may connect to, of the components and of the servers beside them: nothing else is reached. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  gateway: ["commitments", "auth", "indexer", "entities", BUS],
  commitments: ["auth", "indexer", "entities", DATABASE, BUS],
  indexer: ["commitments"],
  auth: ["commitments", "entities", DATABASE, MAIL],
  entities: ["commitments", "auth", "indexer", DATABASE],
};
const ABSENT_SALE = "/svc/v1/public/sales/00000000-0000-4000-8000-000000000000/commitment-data";

describe("the components in pods of their own, as docs/kubernetes.md installs them", () => {
  const page = readRepository("docs/kubernetes.md");
  let namespace: CaseNamespace;
  let outside: OutsideServers;
  beforeAll(async () => {
    namespace = await CaseNamespace.create(inject("nodes"), "sale");
    outside = await OutsideServers.start(namespace.api);
  });
  afterAll(async () => {
    namespace?.close();
    await outside?.stop();
  });

  it("become ready on three nodes, and pass the chart's own test from a pod", async () => {
    // The mail server takes no password without TLS.
    const secrets = commandsBelow(page, "Secrets").map((command) => command.replace("user:password@smtp", "smtp"));
    await namespace.run(secrets.join("\n"));
    const [values = ""] = codeBlocks(sectionOf(page, "Install"), "yaml").map(({ code }) => code);
    const file = join(namespace.folder.path, "your-values.yaml");
    await writeFile(file, values.replace("sha256:…", await imageDigest()));
    const [install = "", ...others] = commandsBelow(page, "Install");
    // Without three of everything, certificates and a NATS cluster.
    const here = install.replace("--values deploy/helm/tidemark/values-ha.yaml ", "");
    await namespace.run(here.replace("your-values.yaml", `${file} --wait --wait-for-jobs --timeout 10m`));
    for (const command of others) await namespace.run(`${command} --timeout 10m`);
    const nodes = await namespace.run("kubectl get pods --output 'jsonpath={.items[*].spec.nodeName}'");
    expect(new Set(nodes.split(" ")).size).toBe(3);
  });

  it("let the operator's command in, which comes before the rules of its pod", async () => {
    const [inCluster = ""] = codeBlocks(sectionOf(page, "The operator's command"), "bash").map(({ code }) => code);
    expect((await namespace.run(inCluster)).trim()).toMatch(UUID);
  });

  it("connect to whom they call, and to nobody else", async () => {
    const addresses = await podAddresses();
    for (const [component, calls] of Object.entries(CALLS)) {
      const others = Object.keys(PORTS).filter((name) => name !== component);
      const rpcs = others.map((name) => `${addresses.get(name)}:${PORTS[name]}`);
      const admin = others.map((name) => `${addresses.get(name)}:9090`);
      const targets = [...rpcs, ...admin, DATABASE, BUS, MAIL];
      const reached = await reachableFrom(namespace, `deployment/tidemark-${component}`, targets);
      const allowed = calls.map((name) => (name in PORTS ? `${addresses.get(name)}:${PORTS[name]}` : name));
      expect(reached.toSorted(), component).toEqual(allowed.toSorted());
    }
  });

  it("are reached by no other pod of the namespace, and the gateway by the ingress controller's", async () => {
    const addresses = await podAddresses();
    const targets = [...addresses].flatMap(([name, address]) => [`${address}:${PORTS[name]}`, `${address}:9090`]);
    expect(await reachableFrom(namespace, await startStranger(namespace), targets)).toEqual([]);
    const controller = await CaseNamespace.create(inject("nodes"), "ingress-nginx");
    const pod = await startStranger(controller);
    const reached = () => reachableFrom(controller, pod, targets);
    await expect.poll(reached, SOON).toEqual([`${addresses.get("gateway")}:8080`]);
    controller.close();
    await namespace.run("kubectl delete pod stranger --wait");
  });

  it("answer every read while all pods are replaced by an upgrade with changed values", async () => {
    const { spec } = await namespace.api.get(`/api/v1/namespaces/${namespace.name}/services/tidemark-gateway`);
    const before = await podNames();
    const readers = new Readers(`http://${spec.clusterIP}${ABSENT_SALE}`, 4, (status) => status === 404);
    await namespace.run(
      "helm upgrade tidemark deploy/helm/tidemark --reuse-values --set logLevel=warn --wait --wait-for-jobs --timeout 10m",
    );
    await readers.stop();
    expect(readers.failures).toEqual([]);
    expect(readers.reads).toBeGreaterThan(10);
    // An address of a pod that is gone may be given again, a name never is.
    expect((await podNames()).filter((name) => before.includes(name))).toEqual([]);
  });

  async function podNames(): Promise<readonly string[]> {
    return (await runningPods()).map(({ metadata }) => metadata.name);
  }

  /** The address of a pod of each component that is ready. */
  async function podAddresses(): Promise<ReadonlyMap<string, string>> {
    const pods = await runningPods();
    return new Map(pods.map(({ metadata, status }) => [componentOf(metadata), status.podIP]));
  }

  /** The pods of components that run, and aren't about to end. */
  async function runningPods(): Promise<readonly KubernetesObject[]> {
    const { items } = await namespace.api.get(`/api/v1/namespaces/${namespace.name}/pods`);
    return items.filter(
      ({ metadata, status }: KubernetesObject) =>
        metadata.deletionTimestamp === undefined && status.phase === "Running" && componentOf(metadata) in PORTS,
    );
  }

  it("leave nothing but the Secrets behind when they are uninstalled", async () => {
    await namespace.run("helm uninstall tidemark --wait --timeout 10m");
    const left = async () =>
      (await objectsIn(namespace.api, namespace.name)).filter((each) => !each.startsWith("Secret "));
    await expect.poll(left, SOON).toEqual([]);
  });
});

function componentOf({ labels }: KubernetesObject["metadata"]): string {
  return labels?.["app.kubernetes.io/component"] ?? "";
}

async function imageDigest(): Promise<string> {
  const { headers } = await fetch(`http://${HOST}:${REGISTRY_PORT}/v2/tidemark/manifests/any`, { method: "HEAD" });
  return headers.get("docker-content-digest") ?? "";
}
