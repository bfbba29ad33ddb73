import { setTimeout as delay } from "node:timers/promises";
import { connect, type JetStreamManager } from "nats";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMITMENTS_STREAM } from "../../common/internal-api/commitment-subjects.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { readBacklog } from "../../services/commitments/outbox/unpublished-updates.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { type Nats, startNats } from "../support/processes/nats.ts";
import { type NatsCluster, startNatsCluster } from "../support/processes/nats-cluster.ts";
import { findProgram } from "../support/processes/program.ts";
import { TcpProxy } from "../support/processes/tcp-proxy.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";
import { keptUpdates, revisionsBySale } from "./support/kept-updates.ts";
import { commitmentsDatabase } from "./support/live-deployment.ts";

const WAIT = { timeout: 5 * 60_000, interval: 100 };
const MAX_STALE_MS = 1_000;
const BIDS = 5;
/** So many that each process has a part of them. */
const SALES = 12;
const STREAM = COMMITMENTS_STREAM.name;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const key = generateCallerKey();

async function startService(env: Readonly<Record<string, string>>): Promise<CommitmentsProcess> {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const settings = { DATA_DIR: folder.path, NATS_STREAM_MAX_BYTES: "16MiB", ...env };
  const service = await startCommitmentsProcess(settings, { otherCallers: { gateway: key.text } });
  stack.defer(async () => void (await service.process.kill()));
  return service;
}

/** A sale that gets bids of 1,000 each. */
class BidSale {
  readonly uuid: string;
  readonly #service: CommitmentsProcess;
  #bids = 0;

  private constructor(service: CommitmentsProcess, uuid: string) {
    this.#service = service;
    this.uuid = uuid;
  }

  static async open(service: CommitmentsProcess): Promise<BidSale> {
    return new BidSale(service, await openedSale(service));
  }

  get total(): string {
    return String(this.#bids * 1_000);
  }

  /** All revisions that were published, from revision 2, which opening the sale made. */
  get revisions(): bigint[] {
    return Array.from({ length: this.#bids + 1 }, (_, index) => BigInt(index) + 2n);
  }

  async bid(times = BIDS): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await apply(this.#service, this.uuid, { upserts: [record(this.#bids)] });
      this.#bids += 1;
    }
  }

  /** Waits until the bus has every revision. */
  async published(...urls: string[]): Promise<void> {
    const kept = async () => revisionsBySale(await keptUpdates(...urls).catch(() => [])).get(this.uuid);
    await expect.poll(kept, WAIT).toEqual(this.revisions);
  }
}

const isLong = process.env["TEST_LONG"] === "1";
const isMissing = findProgram("nats-server") === undefined;

describe.skipIf(isMissing)("a bus that is gone (nats-server)", () => {
  it("costs readers time, and is filled again when it comes back empty", async () => {
    const nats = stack.adopt(await startNats(), (server) => server.stop());
    const service = await startService({ NATS_URL: nats.url });
    const gateway = await startGatewayProcess({
      COMMITMENTS_URL: service.url,
      CALLER_NAME: "gateway",
      CALLER_KEY: key.text,
      NATS_URL: nats.url,
      CACHE_MAX_STALE: `${MAX_STALE_MS}ms`,
    });
    stack.defer(async () => void (await gateway.process.kill()));
    const sale = await BidSale.open(service);
    await sale.bid();
    await sale.published(nats.url);
    expect((await gateway.get(sale.uuid)).status).toBe(200);
    await nats.kill();
    for (let round = 0; round < 3; round += 1) {
      await sale.bid();
      await delay(MAX_STALE_MS + 1);
      expect(await shownTotal(gateway, sale.uuid)).toBe(sale.total);
    }
    await nats.loseStore();
    await sale.published(nats.url);
    await sale.bid();
    await sale.published(nats.url);
  });
});

describe.skipIf(!isLong || isMissing)("a bus that was purged (nats-server)", () => {
  it("is filled again with what it should have", async () => {
    const nats = stack.adopt(await startNats(), (server) => server.stop());
    const service = await startService({ NATS_URL: nats.url });
    const sale = await BidSale.open(service);
    await sale.bid();
    await sale.published(nats.url);
    await withManager([nats], (manager) => manager.streams.purge(STREAM));
    await sale.published(nats.url);
    await sale.bid();
    await sale.published(nats.url);
  });
});

/** Reads until a response is no older than `CACHE_MAX_STALE`. @returns its total */
async function shownTotal(gateway: GatewayProcess, saleUuid: string): Promise<string> {
  for (;;) {
    const response = await gateway.get(saleUuid);
    const body = await response.json();
    if (response.status === 200 && !response.headers.has("age")) return body.TotalCommitmentAmount;
    await delay(100);
  }
}

describe.skipIf(isMissing)("a bus of three servers (nats-server)", () => {
  it("loses nothing with the server that leads it", async () => {
    const cluster = await startNatsCluster(stack);
    const urls = [...cluster.values()].map(({ url }) => url);
    const service = await startService({ NATS_URL: urls.join(","), NATS_STREAM_REPLICAS: "3" });
    const sale = await BidSale.open(service);
    await sale.bid();
    await sale.published(...urls);
    const leader = await leaderOf(cluster);
    const killed = cluster.get(leader);
    await killed?.kill();
    await sale.bid();
    await expect.poll(() => leaderOf(cluster), WAIT).not.toBe(leader);
    await sale.bid();
    await killed?.restart();
    await expect.poll(() => areAllCurrent(cluster).catch(() => false), WAIT).toBe(true);
    await sale.bid();
    await sale.published(...urls);
  });
});

const isDatabaseMissing = isMissing || findProgram("mariadbd") === undefined;

describe.skipIf(!isLong || isDatabaseMissing)("a server of the bus that is cut off (nats-server, mariadbd)", () => {
  it("holds nothing up: the process that it serves leaves its share of the outbox, and turns to another server", async () => {
    const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    const { url: MYSQL_URL, database } = await commitmentsDatabase(stack, mariaDb);
    const [lone, link, ...others] = await startSplitCluster();
    const urls = others.map(({ url }) => url);
    const settings = { MYSQL_URL, NATS_STREAM_REPLICAS: "3" };
    const links = await Promise.all(others.map(({ url }) => TcpProxy.start([Number(new URL(url).port)])));
    for (const each of links) stack.use(each).cut();
    const NATS_URL = [lone.url, ...links.map(({ port }) => `nats://127.0.0.1:${port}`)].join(",");
    const services = [
      await startService({ ...settings, NATS_URL }),
      await startService({ ...settings, NATS_URL: urls.join(",") }),
    ] as const;
    const sales = await Promise.all(Array.from({ length: SALES }, () => BidSale.open(services[1])));
    const bidAndPublish = async () => {
      await Promise.all(sales.map((sale) => sale.bid(1)));
      await expect.poll(async () => (await readBacklog(database)).rows, WAIT).toBe(0);
    };
    await bidAndPublish();
    await expect.poll(() => Promise.all(services.map(partitionsOf)), WAIT).toEqual([8, 8]);
    for (const each of links) each.mend();
    link.cut();
    await bidAndPublish();
    await expect.poll(() => Promise.all(services.map(partitionsOf)), WAIT).toEqual([8, 8]);
    link.mend();
    await bidAndPublish();
  });
});

describe.skipIf(!isLong || isMissing)("a server of the bus that is cut off with a gateway (nats-server)", () => {
  it("is left for another one, from which events come again", async () => {
    const [lone, link, ...others] = await startSplitCluster();
    const links = await Promise.all(others.map(({ url }) => TcpProxy.start([Number(new URL(url).port)])));
    for (const each of links) stack.use(each).cut();
    const service = await startService({ NATS_URL: others.map(({ url }) => url).join(","), NATS_STREAM_REPLICAS: "3" });
    const gateway = await startGatewayProcess({
      COMMITMENTS_URL: service.url,
      CALLER_NAME: "gateway",
      CALLER_KEY: key.text,
      NATS_URL: [lone.url, ...links.map(({ port }) => `nats://127.0.0.1:${port}`)].join(","),
      CACHE_MAX_STALE: `${MAX_STALE_MS}ms`,
    });
    stack.defer(async () => void (await gateway.process.kill()));
    const sale = await BidSale.open(service);
    /** Whether the gateway shows a bid without having asked for the sale: its event came. */
    const isDelivered = async () => {
      const loads = () => gateway.metric("tidemark_gateway_upstream_calls_total", 'method="GetCommitmentData"');
      const before = await loads();
      await sale.bid(1);
      await expect.poll(() => shownTotal(gateway, sale.uuid), WAIT).toBe(sale.total);
      return (await loads()) === before;
    };
    await expect.poll(isDelivered, WAIT).toBe(true);
    for (const each of links) each.mend();
    link.cut();
    const outputAfterBid = () => isDelivered().then(() => gateway.process.output());
    await expect.poll(outputAfterBid, WAIT).toContain("this process leaves a server of NATS");
    await expect.poll(isDelivered, WAIT).toBe(true);
  });
});

/** The number of partitions that a process publishes. */
async function partitionsOf({ adminUrl }: CommitmentsProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^tidemark_outbox_partitions(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1]);
}

/** Starts a cluster of three, of which all connections to the first server go through a proxy. */
async function startSplitCluster(): Promise<readonly [Nats, TcpProxy, Nats, Nats]> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const link = stack.use(await TcpProxy.start([ports[0]]));
  const start = async (index: 0 | 1 | 2, routes: readonly number[]) => {
    const urls = routes.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
    // Others learn an address of it at which nobody listens, so that none goes past the proxy.
    const address = `listen: "127.0.0.1:${ports[index]}", advertise: "127.0.0.1:1"`;
    const text = `server_name: split-${index}\ncluster: { name: split, ${address}, routes: [${urls}] }`;
    return stack.adopt(await startNats(text), (server) => server.stop());
  };
  return [
    await start(0, [ports[0]]),
    link,
    await start(1, [link.port, ports[2]]),
    await start(2, [link.port, ports[1]]),
  ];
}

/** Waits until a server leads the stream. @returns its name */
async function leaderOf(cluster: NatsCluster): Promise<string> {
  let leader: string | undefined;
  await expect
    .poll(async () => {
      leader = await askForLeader(cluster).catch(() => undefined);
      return leader;
    }, WAIT)
    .toBeDefined();
  return leader ?? "";
}

async function askForLeader(cluster: NatsCluster): Promise<string | undefined> {
  return (await clusterState(cluster))?.leader;
}

/** Whether all other servers have caught up with the leader. */
async function areAllCurrent(cluster: NatsCluster): Promise<boolean> {
  const { replicas = [] } = (await clusterState(cluster)) ?? {};
  return replicas.length === cluster.size - 1 && replicas.every(({ current, offline }) => current && offline !== true);
}

function clusterState(cluster: NatsCluster) {
  return withManager(cluster.values(), async (manager) => (await manager.streams.info(STREAM)).cluster);
}

async function withManager<Result>(servers: Iterable<Nats>, work: (manager: JetStreamManager) => Promise<Result>) {
  const connection = await connect({ servers: Array.from(servers, ({ url }) => url) });
  try {
    return await work(await connection.jetstreamManager());
  } finally {
    await connection.close();
  }
}
