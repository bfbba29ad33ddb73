import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { SOON } from "../../../support/repository/polling.ts";
import { componentOf, DistributedRelease, PORTS } from "../distributed-release.ts";
import { FigureReaders } from "../figure-readers.ts";
import { LeastReady } from "../least-ready.ts";
import { NodeProcesses } from "../node-processes.ts";
import { operatorClients } from "../operator-clients.ts";
import { deletePods } from "../pod-ends.ts";
import { PodSale } from "../pod-sale.ts";

const COMPONENTS = Object.keys(PORTS);
/** Reads and streams that a killed gateway may lose: all that `FigureReaders` has at once, twice. */
const MOST_LOST = 20;

describe("the components in pods of their own, whose pods and nodes go", () => {
  let release: DistributedRelease;
  let sale: PodSale;
  beforeAll(async () => {
    release = await DistributedRelease.prepare(inject("nodes"), "disrupted");
    await release.install();
    sale = await PodSale.open(await operatorClients(release), release.outside);
    await sale.bid();
  });
  afterAll(() => release?.remove());
  // What a case leaves behind mustn't decide the next.
  beforeEach(() => untilTwoOfEachAreReady());

  async function untilTwoOfEachAreReady(): Promise<void> {
    const ready = async () => Promise.all(COMPONENTS.map(async (name) => (await release.readyPods(name)).length));
    await expect.poll(ready, SOON).toEqual(COMPONENTS.map(() => 2));
  }

  const whileRead = (work: () => Promise<unknown>) => FigureReaders.during(release, sale, work);

  it("end by themselves at SIGTERM, within their grace, and lose no read", async () => {
    const pods = await Promise.all(
      COMPONENTS.map(async (name) => (await release.readyPods(name))[0]?.["metadata"].name),
    );
    let ends: Awaited<ReturnType<typeof deletePods>> = new Map();
    const failures = await whileRead(async () => {
      ends = await deletePods(release, pods);
    });
    expect(failures).toEqual([]);
    expect([...ends.keys()].toSorted()).toEqual(pods.toSorted());
    for (const [pod, end] of ends) {
      expect(end, pod).toMatchObject({ exitCode: 0, reason: "Completed" });
      expect(end.secondsLeft, pod).toBeGreaterThan(0);
    }
  });

  it("keep one ready of each while a node is drained, and lose no read", async () => {
    const least = new LeastReady(release);
    let counts: Readonly<Record<string, number>> = {};
    try {
      const failures = await whileRead(async () => {
        await release.namespace.run("kubectl drain node-1 --delete-emptydir-data --ignore-daemonsets --timeout=8m");
        await untilTwoOfEachAreReady();
      });
      expect(failures).toEqual([]);
      const nodes = (await release.runningPods()).map(({ spec }) => spec.nodeName);
      expect(nodes).not.toContain("node-1");
    } finally {
      counts = await least.stop();
      await release.namespace.run("kubectl uncordon node-1");
    }
    expect(Object.entries(counts).filter(([, count]) => count < 1)).toEqual([]);
  });

  it.each(COMPONENTS)("come back when a pod of %s is killed, while reads go on", async (component) => {
    const [pod] = await release.readyPods(component);
    const { name } = pod?.["metadata"] ?? {};
    const failures = await whileRead(async () => {
      await release.namespace.run(`kubectl delete pod ${name} --grace-period=0 --force`);
      await untilTwoOfEachAreReady();
    });
    expect(await release.podNames()).not.toContain(name);
    // A gateway takes with it what it was answering, and what reaches its address until the cluster has noticed.
    const lost = component === "gateway" ? MOST_LOST : 0;
    expect(failures.length, failures.join("\n")).toBeLessThanOrEqual(lost);
  });

  it("are ready elsewhere once the pods of a dead node are deleted, and read as before", async () => {
    const node = NodeProcesses.find("node-2");
    await node.die();
    try {
      await release.namespace.run(
        "kubectl cordon node-2; kubectl delete pod --field-selector spec.nodeName=node-2 --grace-period=0 --force",
      );
      await untilTwoOfEachAreReady();
      expect(await whileRead(() => sale.bid())).toEqual([]);
      expect((await release.runningPods()).map(({ spec }) => spec.nodeName)).not.toContain("node-2");
    } finally {
      await node.restart();
      await release.namespace.run(
        "kubectl wait --for=condition=Ready --timeout=4m node/node-2; kubectl uncordon node-2",
      );
    }
  });

  it("start no container anew in all of that, nor are killed for their memory", async () => {
    const restarted = (await release.runningPods()).flatMap((pod) =>
      pod["status"].containerStatuses.map(({ restartCount }: { restartCount: number }) => [
        componentOf(pod),
        restartCount,
      ]),
    );
    expect(restarted.filter(([, count]) => count > 0)).toEqual([]);
  });
});
