import { once } from "node:events";
import { connect } from "node:tls";
import { connect as connectBus } from "nats";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { COMMITMENTS_STREAM } from "../../../../common/internal-api/commitment-subjects.ts";
import { CertificateIssuer } from "../certificate-issuer.ts";
import { componentOf, DistributedRelease, PORTS, PUBLIC_HOST } from "../distributed-release.ts";
import { HostFront } from "../host-front.ts";

const COMPONENTS = Object.keys(PORTS);
const SERVERS = COMPONENTS.filter((name) => name !== "gateway");
/** The kubelet looks after a Secret that is mounted every minute, and a busy machine has 15 pods. */
const REFRESH = { timeout: 5 * 60_000, interval: 500 };

describe("three of everything, as docs/kubernetes.md installs it with values-ha.yaml", () => {
  let release: DistributedRelease;
  let issuer: CertificateIssuer;
  let front: HostFront;
  let sale: string;
  beforeAll(async () => {
    release = await DistributedRelease.prepare(inject("nodes"), "available", "ha");
    issuer = await CertificateIssuer.start(release.namespace);
  });
  afterAll(async () => {
    await front?.stop();
    await issuer?.stop();
    await release?.remove();
  });

  it("is ready and passes the chart's own test, with no other value than the page's", async () => {
    await release.install([], "ha");
  });

  it("has three pods of each, on three nodes, once the autoscalers have asked for them", async () => {
    const nodes = async () => {
      const pods = await Promise.all(COMPONENTS.map((name) => release.readyPods(name)));
      return pods.map((ready) => new Set(ready.map(({ spec }) => spec.nodeName)).size);
    };
    await expect.poll(nodes, REFRESH).toEqual(COMPONENTS.map(() => 3));
  });

  it("keeps its events on three servers of NATS", async () => {
    const connection = await connectBus({ servers: [...release.outside.busUrls] });
    const manager = await connection.jetstreamManager();
    const { config } = await manager.streams.info(COMMITMENTS_STREAM.name);
    expect(config.num_replicas).toBe(3);
    await connection.close();
  });

  it("lets the operator's command in by TLS, and shows its sale to readers behind a proxy", async () => {
    const token = "0x1000000000000000000000000000000000000001:6:usd";
    sale = await release.operate(
      `sale create --name "A test sale" --token ${token} --offered-decimals 18 --price 0.10`,
    );
    await release.operate(
      `application create --sale ${sale} --name Portal --redirect-uri https://portal.example/callback --require-scope read_entities --require-scope sale_eligibility_check --square-logo services/demo/logos/square.png --wide-logo services/demo/logos/wide.png`,
    );
    await release.operate(`sale open ${sale}`);
    front = await HostFront.start(await release.gatewayUrl(), PUBLIC_HOST);
    const answer = await fetch(`${front.origin}/svc/v1/public/sales/${sale}/commitment-data`);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ UniqueCommitmentCount: 0 })]);
  });

  it("takes renewed certificates and keys without a restart", async () => {
    const before = await servedCertificates();
    expect(new Set(before.values()).size).toBe(SERVERS.length);
    await issuer.renewAll();
    const old = async () => {
      const now = await servedCertificates();
      return [...now].filter(([pod, certificate]) => before.get(pod) === certificate).map(([pod]) => pod);
    };
    await expect.poll(old, REFRESH).toEqual([]);
    expect([...(await servedCertificates()).keys()].toSorted()).toEqual([...before.keys()].toSorted());
    // Each command opens connections of its own.
    expect(await release.operate("sale list")).toContain(sale);
    const restarts = (await release.runningPods()).flatMap(({ status }) =>
      status.containerStatuses.map(({ restartCount }: { restartCount: number }) => restartCount),
    );
    expect(new Set(restarts)).toEqual(new Set([0]));
  });

  /** Fingerprint of the certificate that each ready pod shows its callers, by the pod's name. */
  async function servedCertificates(): Promise<ReadonlyMap<string, string>> {
    const pods = (await Promise.all(SERVERS.map((name) => release.readyPods(name)))).flat();
    const served = pods.map(async (pod) => {
      const port = PORTS[componentOf(pod)] ?? 0;
      const socket = connect({ host: pod["status"].podIP, port, rejectUnauthorized: false });
      await once(socket, "secureConnect");
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return [pod["metadata"].name, fingerprint256] as const;
    });
    return new Map(await Promise.all(served));
  }
});
