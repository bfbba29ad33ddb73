import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createRpcTransport } from "../../../../common/platform/rpc/client/client.ts";
import { GATEWAY_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../../common/platform/rpc/identity/caller-keys.ts";
import { StatusService } from "../../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { SOON } from "../../../support/repository/polling.ts";
import { objectsIn } from "../../support/namespaces.ts";
import { CaseNamespace } from "../case-namespace.ts";
import { reachableFrom, startStranger } from "../connections.ts";
import { componentOf, DistributedRelease, PORTS, STATUS_PORT, wellGateways } from "../distributed-release.ts";
import { FigureReaders } from "../figure-readers.ts";
import { HOST } from "../network.ts";
import { operatorClients } from "../operator-clients.ts";
import { OUTSIDE_PORTS } from "../outside.ts";
import { PermitVisitor } from "../permit-visitor.ts";
import { PodSale } from "../pod-sale.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const [DATABASE, BUS, MAIL, NODE] = (["database", "bus", "mail", "node"] as const).map(
  (server) => `${HOST}:${OUTSIDE_PORTS[server]}`,
) as [string, string, string, string];

/** All that a component may connect to, of the components and of the servers beside them: nothing else is reached. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  gateway: ["commitments", "auth", "indexer", "entities", BUS],
  commitments: ["auth", "indexer", "entities", DATABASE, BUS],
  indexer: ["commitments", NODE],
  auth: ["commitments", "entities", DATABASE, MAIL],
  entities: ["commitments", "auth", "indexer", DATABASE],
};

describe("the components in pods of their own, as docs/kubernetes.md installs them", () => {
  let release: DistributedRelease;
  let sale: PodSale;
  beforeAll(async () => {
    release = await DistributedRelease.prepare(inject("nodes"), "sale");
  });
  afterAll(() => release?.stop());

  it("become ready on three nodes, and pass the chart's own test from a pod", async () => {
    await release.install();
    const nodes = await release.namespace.run("kubectl get pods --output 'jsonpath={.items[*].spec.nodeName}'");
    expect(new Set(nodes.split(" ")).size).toBe(3);
  });

  it("let the operator's command in, which comes before the rules of its pod", async () => {
    expect(await release.operate("founder invite ann@example.com")).toMatch(UUID);
  });

  it("connect to whom they call, and to nobody else", async () => {
    const addresses = await podAddresses();
    for (const [component, calls] of Object.entries(CALLS)) {
      const others = Object.keys(PORTS).filter((name) => name !== component);
      const rpcs = others.map((name) => `${addresses.get(name)}:${PORTS[name]}`);
      const admin = others.map((name) => `${addresses.get(name)}:9090`);
      const status = others.includes("gateway") ? [`${addresses.get("gateway")}:${STATUS_PORT}`] : [];
      const targets = [...rpcs, ...admin, ...status, DATABASE, BUS, MAIL, NODE];
      const reached = await reachableFrom(release.namespace, `deployment/tidemark-${component}`, targets);
      const allowed = calls.map((name) => (name in PORTS ? `${addresses.get(name)}:${PORTS[name]}` : name));
      expect(reached.toSorted(), component).toEqual(allowed.toSorted());
    }
  });

  it("are reached by no other pod of the namespace, and the gateway by the ingress controller's", async () => {
    const addresses = await podAddresses();
    const targets = [
      ...[...addresses].flatMap(([name, address]) => [`${address}:${PORTS[name]}`, `${address}:9090`]),
      `${addresses.get("gateway")}:${STATUS_PORT}`,
    ];
    const { namespace } = release;
    expect(await reachableFrom(namespace, await startStranger(namespace), targets)).toEqual([]);
    const controller = await CaseNamespace.create(inject("nodes"), "traefik");
    const pod = await startStranger(controller);
    const reached = () => reachableFrom(controller, pod, targets);
    await expect.poll(reached, SOON).toEqual([`${addresses.get("gateway")}:8080`]);
    controller.close();
    await namespace.run("kubectl delete pod stranger --wait; kubectl delete namespace traefik --wait --timeout=4m");
  });

  it("tell the operator's command how their gateways are, and nobody else", async () => {
    await expect.poll(async () => wellGateways(await release.operate("status").catch(String)), SOON).toBe(2);
    const { key } = generateCallerKey();
    for (const pod of await release.readyPods("gateway")) {
      const baseUrl = `http://${pod["status"].podIP}:${STATUS_PORT}`;
      const call = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      expect((await fetch(`${baseUrl}/tidemark.status.v1.StatusService/GetStatus`, call)).status).toBe(401);
      const caller = { name: "operator", key, audience: GATEWAY_AUDIENCE };
      const withOtherKey = createClient(
        StatusService,
        createRpcTransport({ baseUrl, caller, defaultTimeoutMs: 10_000 }),
      );
      await expect(withOtherKey.getStatus({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    }
  });

  it("open a sale whose contract the indexer reads, and show a bid", async () => {
    sale = await PodSale.open(await operatorClients(release), release.outside);
    await sale.bid();
    const url = (await release.gatewayUrl()) + sale.path;
    const count = async () => (await (await fetch(url)).json()).UniqueCommitmentCount;
    await expect.poll(count, SOON).toBe(1);
  });

  it("sign a person in by a mailed code, and sign a permit that the contract takes", async () => {
    const visitor = await PermitVisitor.start(release, sale);
    try {
      await visitor.signIn();
      await visitor.passReview(await operatorClients(release));
      const accessToken = await visitor.grant();
      expect(await visitor.bidOutcome(await visitor.permit(accessToken))).toEqual(["accepted"]);
    } finally {
      await visitor.stop();
    }
  });

  it("lose no read and no stream while all pods are replaced by an upgrade with changed values, and bids come in", async () => {
    const before = await release.podNames();
    const readers = await FigureReaders.start(release, sale);
    try {
      await readers.whileBidding(() => release.upgrade("logLevel=warn"));
      // All gateways are replaced, so each stream ends at least once.
      await expect.poll(() => readers.resumed, SOON).toBe(readers.streams);
      await readers.untilAllHaveAll();
    } finally {
      await readers.stop();
    }
    expect(readers.failures()).toEqual([]);
    expect(readers.reads).toBeGreaterThan(10);
    // An address of a pod that is gone may be given again, a name never is.
    expect((await release.podNames()).filter((name) => before.includes(name))).toEqual([]);
  });

  it("stand on two nodes each after the upgrade, though its new pods met the old ones there", async () => {
    const nodes = new Map<string, Set<string>>();
    for (const pod of await release.runningPods()) {
      const component = componentOf(pod);
      nodes.set(component, (nodes.get(component) ?? new Set()).add(pod["spec"].nodeName));
    }
    const counts = Object.fromEntries([...nodes].map(([component, { size }]) => [component, size]));
    expect(counts).toEqual(Object.fromEntries(Object.keys(PORTS).map((component) => [component, 2])));
  });

  /** The address of a pod of each component. */
  async function podAddresses(): Promise<ReadonlyMap<string, string>> {
    return new Map((await release.runningPods()).map((pod) => [componentOf(pod), pod["status"].podIP]));
  }

  it("leave nothing but the Secrets behind when they are uninstalled", async () => {
    await release.uninstall();
    const { api, name } = release.namespace;
    const left = async () => (await objectsIn(api, name)).filter((each) => !each.startsWith("Secret "));
    await expect.poll(left, SOON).toEqual([]);
  });
});
