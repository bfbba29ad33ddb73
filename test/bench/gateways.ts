import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { COMMITMENTS_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { startNats } from "../support/processes/nats.ts";
import { openAuction } from "./apply.ts";
import { ApplyCaller } from "./latency/apply-caller.ts";
import { SaleReader } from "./latency/sale-reader.ts";
import type { BenchTable, RequiredFigure } from "./support/bench-table.ts";
import { BidBook } from "./support/bid-book.ts";
import { cpuMicros } from "./support/process-usage.ts";
import { amount } from "./support/quick.ts";

const GATEWAYS = amount([1, 3], [1, 2]);
const SALES = amount(50, 5);
const TICKS = 10_000;
const BIDS_BEFORE = 200;
const RATE = 100;
const CHANGES = amount(3_000, 20);
const WARM_UP_CHANGES = amount(500, 5);
/** Events and reloads for each change, at each gateway, however many there are. */
const MOST_EVENTS = 1.01;
const MOST_RELOADS = 0.05;
const METHODS = { reloads: ["GetCommitmentData"], revisions: ["GetRevisions", "ListChangedSales"] };

/** The sum of what all gateways have received so far. */
interface Received {
  readonly messages: number;
  readonly bytes: number;
  readonly reloads: number;
  readonly revisions: number;
  readonly cpuMicros: number;
}

/**
 * Changes sales that somebody follows at each gateway, and measures what every further gateway costs: events and bytes from NATS,
 * calls to the commitments service, CPU time. About two minutes.
 */
export async function gatewaysBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const monitor = `127.0.0.1:${await freePort()}`;
  const nats = stack.adopt(await startNats(`http: "${monitor}"`), (server) => server.stop());
  const [operator, key] = [generateCallerKey(), generateCallerKey().text];
  const env = { MYSQL_URL: await mariaDb.createDatabase("gateways"), NATS_URL: nats.url };
  const service = await startCommitmentsProcess(env, { key: operator, otherCallers: { gateway: key } });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const credentials = { name: "operator", key: operator.key, audience: COMMITMENTS_AUDIENCE };
  const caller = stack.adopt(await ApplyCaller.of(service.url, credentials), (each) => each.close());
  const bids = new BidBook(TICKS, 1);
  const sales: string[] = [];
  while (sales.length < SALES) {
    const saleUuid = await openAuction(service);
    const upserts = bids.bids(1_000_000 + sales.length * BIDS_BEFORE, BIDS_BEFORE);
    await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
    sales.push(saleUuid);
  }

  const gateways: GatewayProcess[] = [];
  const readers: SaleReader[][] = [];
  stack.defer(() => {
    for (const reader of readers.flat()) reader.close();
  });
  const rows: string[][] = [];
  const required: RequiredFigure[] = [];
  for (const count of GATEWAYS) {
    while (gateways.length < count) {
      const settings = { COMMITMENTS_URL: service.url, NATS_URL: nats.url, CALLER_NAME: "gateway", CALLER_KEY: key };
      const gateway = await startGatewayProcess(settings);
      stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
      gateways.push(gateway);
      readers.push(await Promise.all(sales.map((saleUuid) => openReader(gateway, saleUuid))));
    }
    const changes = { caller, sales, bids, readers };
    await changeSales(changes, WARM_UP_CHANGES);
    const before = await received(monitor, gateways);
    const seconds = await changeSales(changes, CHANGES);
    const after = await received(monitor, gateways);
    const each = (of: keyof Received) => (after[of] - before[of]) / count;
    const bounds = { messages: MOST_EVENTS, reloads: MOST_RELOADS };
    for (const name of ["messages", "reloads"] as const) {
      const figure = `${name} a change, with ${count} gateways`;
      required.push({ name: figure, value: each(name) / CHANGES, atMost: bounds[name] });
    }
    rows.push([
      String(count),
      (each("messages") / CHANGES).toFixed(2),
      (each("bytes") / CHANGES).toFixed(0),
      (each("reloads") / CHANGES).toFixed(3),
      (each("revisions") / seconds).toFixed(1),
      (each("cpuMicros") / 1_000 / CHANGES).toFixed(2),
    ]);
  }
  return {
    title: `What each gateway receives, by the number of gateways: ${SALES} sales with a stream at each, ${RATE} changes/s`,
    columns: [
      "gateways",
      "NATS events a change",
      "NATS bytes a change",
      "reloads a change",
      "revisions and lists/s",
      "CPU ms a change",
    ],
    rows,
    notes: [
      `${CHANGES} changes of one bid. Reloads: calls of ${METHODS.reloads[0]}, among them those that confirm, once a minute, a body that was built from events (required ${MOST_RELOADS} at most, and ${MOST_EVENTS} events).`,
    ],
    required,
  };
}

function openReader({ url }: GatewayProcess, saleUuid: string): Promise<SaleReader> {
  return SaleReader.open(new URL(`/svc/v1/public/sales/${saleUuid}/commitment-data/stream`, url));
}

interface Changes {
  readonly caller: ApplyCaller;
  readonly sales: readonly string[];
  readonly bids: BidBook;
  /** By gateway and sale. */
  readonly readers: readonly (readonly SaleReader[])[];
}

const random = new Random(2);
let nextBid = 0;

/** Changes random sales at an even rate. @returns the seconds until all readers have the last change of each sale */
async function changeSales({ caller, sales, bids, readers }: Changes, count: number): Promise<number> {
  const begin = performance.now();
  const latest = new Map<number, bigint>();
  const applies: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, begin + (index * 1_000) / RATE - performance.now()));
    const sale = random.integer(0, SALES - 1);
    const applied = caller.apply(sales[sale] ?? "", randomUUID(), bids.bid(nextBid++));
    const keep = (revision: bigint) => {
      if (revision > (latest.get(sale) ?? 0n)) latest.set(sale, revision);
    };
    applies.push(applied.then(keep));
  }
  await Promise.all(applies);
  const arrivals = readers.flatMap((ofGateway) =>
    [...latest].map(([sale, revision]) => ofGateway[sale]?.reached(revision)),
  );
  await Promise.all(arrivals);
  return (performance.now() - begin) / 1_000;
}

/** NATS itself says what it has sent to the connections of gateways. */
async function received(monitor: string, gateways: readonly GatewayProcess[]): Promise<Received> {
  const { connections } = await (await fetch(`http://${monitor}/connz`)).json();
  const own = (connections as NatsConnectionState[]).filter(({ name }) => name === "gateway");
  if (own.length !== gateways.length) throw new Error(`NATS has ${own.length} connections of gateways`);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const calls = async (methods: readonly string[]) => {
    const metrics = methods.flatMap((method) =>
      gateways.map((each) => each.metric("tidemark_gateway_upstream_calls_total", `method="${method}"`)),
    );
    return sum(await Promise.all(metrics));
  };
  return {
    messages: sum(own.map(({ out_msgs }) => out_msgs)),
    bytes: sum(own.map(({ out_bytes }) => out_bytes)),
    reloads: await calls(METHODS.reloads),
    revisions: await calls(METHODS.revisions),
    cpuMicros: sum(await Promise.all(gateways.map(({ process }) => cpuMicros(process.pid)))),
  };
}

/** Fields of a connection in the answer of NATS' monitoring. */
interface NatsConnectionState {
  readonly name?: string;
  readonly out_msgs: number;
  readonly out_bytes: number;
}
