import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { itOnNode } from "../../common/platform/testing/it-on-node.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { heldBytes, INSPECTED } from "../support/processes/heap.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const WAIT = { timeout: POLL_TIMEOUT_MS };
const ROWS = 100;
const STREAMS = 200;
const ROUNDS = 15;
/** Rounds before the heap is measured: modules are loaded and code is compiled in them. */
const WARM_UP_ROUNDS = 5;
/** 2 KiB for each reader that came and went would be 4 MiB. */
const MOST_GROWTH = 3 * 2 ** 20;
/** Connections to the commitments service, say. */
const MOST_DESCRIPTORS = 10;
/** A body of these has 3 MiB: a few of them are more than the kernel holds for a reader. */
const LARGE_ROWS = Array.from({ length: ROWS }, (_, index) => index);
const LARGE_EXTRA = 16_384;
const MOST_CHANGES = 12;
const UNKNOWN_SALE = "00000000-0000-4000-8000-000000000000";

const key = generateCallerKey();
let folder: TemporaryFolder;
let service: CommitmentsProcess;
let gateway: GatewayProcess;
let saleUuid: string;

const onNode = (name: string, run: () => Promise<void>) =>
  itOnNode("the heap of a process is looked at by Node's inspector")(name, run);

const pathOf = (sale: string) => `/svc/v1/public/sales/${sale}/commitment-data/stream`;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
  gateway = await startGatewayProcess({
    COMMITMENTS_URL: service.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: key.text,
    CACHE_MAX_STALE: "250ms",
    STREAM_MAX_BUFFER: "16KiB",
    NODE_OPTIONS: INSPECTED,
  });
  saleUuid = await openedSale(service);
  await apply(service, saleUuid, { upserts: LARGE_ROWS.map((index) => record(index)) });
});
afterAll(async () => {
  await gateway?.process.kill();
  await service?.process.kill();
  await folder?.remove();
});

async function descriptors(): Promise<number> {
  return process.platform === "linux" ? (await readdir(`/proc/${gateway.process.pid}/fd`)).length : 0;
}

const noStreams = () => vi.waitFor(async () => expect(await gateway.metric("tidemark_gateway_streams")).toBe(0), WAIT);

async function request(sale: string, ...headers: readonly string[]): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: gateway.port });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write([`GET ${pathOf(sale)} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n"));
  return socket;
}

/** Readers of every kind, who come at once and go without a word: in the middle of the body, before it, or refused. */
async function openAndLeave(): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      const [sale, id] = index % 10 === 0 ? [UNKNOWN_SALE, "x"] : [saleUuid, index % 3 === 0 ? "x".repeat(500) : "1-1"];
      const socket = await request(sale, `Last-Event-ID: ${id}`);
      if (index % 4 !== 0) await once(socket, "readable");
      return socket;
    }),
  );
  for (const socket of sockets) socket.resetAndDestroy();
  await noStreams();
}

onNode("thousands who come and go leave nothing behind", async () => {
  for (let index = 0; index < WARM_UP_ROUNDS; index++) await openAndLeave();
  const [bytes, open] = [await heldBytes(gateway.process), await descriptors()];
  for (let index = WARM_UP_ROUNDS; index < ROUNDS; index++) await openAndLeave();
  expect((await heldBytes(gateway.process)) - bytes).toBeLessThan(MOST_GROWTH);
  await vi.waitFor(async () => expect((await descriptors()) - open).toBeLessThan(MOST_DESCRIPTORS), WAIT);
  const reader = await StreamReader.open(gateway.url + pathOf(saleUuid));
  expect(await reader.event()).toMatchObject({ event: "body" });
  reader.close();
});

onNode("what can't be an ID, or isn't yet, gets the body, and an unknown sale its error", async () => {
  const first = await StreamReader.open(gateway.url + pathOf(saleUuid));
  const { id = "" } = await first.event();
  first.close();
  const [generation, revision] = id.split("-");
  const future = [`${generation}-${Number(revision) + 1}`, `${generation}-${2n ** 64n - 1n}`];
  for (const had of ["x", "", "-", `${generation}-`, `${generation}--1`, "x".repeat(4_000), ...future]) {
    const reader = await StreamReader.open(gateway.url + pathOf(saleUuid), { "last-event-id": had });
    expect(await reader.event(), had).toMatchObject({ event: "body", id });
    reader.close();
  }
  const unknown = await fetch(gateway.url + pathOf(UNKNOWN_SALE), { headers: { "last-event-id": id } });
  expect([unknown.status, (await unknown.json()).code]).toEqual([404, "not_found"]);
  await noStreams();
});

onNode("one who never reads is cut off, and others go on", async () => {
  const before = await heldBytes(gateway.process);
  const sale = await openedSale(service);
  const reader = await StreamReader.open(gateway.url + pathOf(sale));
  await reader.event();
  const lazy = await request(sale);
  lazy.pause();
  await vi.waitFor(async () => expect(await gateway.metric("tidemark_gateway_streams")).toBe(2), WAIT);
  for (let change = 0; (await gateway.metric("tidemark_gateway_dropped_streams_total")) === 0; change++) {
    expect(change).toBeLessThan(MOST_CHANGES);
    const upserts = LARGE_ROWS.map((index) => record(index, { extraData: new Uint8Array(LARGE_EXTRA).fill(change) }));
    const { revision } = await apply(service, sale, { upserts });
    while (!(await reader.event()).id?.endsWith(`-${revision}`));
  }
  expect(await gateway.metric("tidemark_gateway_streams")).toBe(1);
  reader.close();
  lazy.destroy();
  await noStreams();
  await apply(service, sale, { upserts: LARGE_ROWS.map((index) => record(index)) });
  // An earlier body may still be shown, and its gzip form.
  await vi.waitFor(async () => {
    await (await gateway.get(sale)).arrayBuffer();
    expect((await heldBytes(gateway.process)) - before).toBeLessThan(MOST_GROWTH);
  }, WAIT);
});
