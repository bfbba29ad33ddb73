import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { peakBytes } from "../support/processes/peak-memory.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";
import { apply, openedSale, record, USDX } from "../support/sales/sale-messages.ts";

const WALLET = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
/** Fewer than may wait on a connection, together with the look-ups: all do where figures are reloaded on a busy machine. */
const FIGURES = 85;
/** The latest bids, which figures have. They are so large that the figures of a connection are twice what Linux buffers of it. */
const BIDS = 100;
const EXTRA_DATA_BYTES = 2_000;
/** 4 MiB at its sender and 6 MiB at its reader. */
const MOST_BUFFERED_BYTES = 10 * 2 ** 20;
/** Addresses and look-ups of each: the default bounds of all and of one address. */
const ATTACKERS = 8;
const LOOKUPS = 8;
const HONEST_READS = 20;
const MOST_GROWTH_BYTES = 96 * 2 ** 20;

/** An answer is cut after six times the write time-out at most. */
const CUT = { timeout: 120_000, interval: 100 };

const stack = new AsyncDisposableStack();
afterEach(() => stack.disposeAsync());

/** Connects from a loopback address, sends bytes, and reads nothing. */
async function sendUnread(port: number, localAddress: string, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.pause().on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

async function start() {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const key = generateCallerKey();
  const service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
  stack.defer(async () => void (await service.process.kill("SIGTERM")));
  const saleUuid = await openedSale(service);
  const extraData = new Uint8Array(EXTRA_DATA_BYTES);
  const upserts = Array.from({ length: BIDS }, (_, number) =>
    record(number, { amounts: [{ wallet: WALLET, token: USDX, amount: "5" }], extraData }),
  );
  await apply(service, saleUuid, { upserts });
  const env = { COMMITMENTS_URL: service.url, CALLER_NAME: "gateway", CALLER_KEY: key.text };
  // Of what a connection sends, some waits unread behind the answers, and half a request among it may be late first.
  const patience = { HTTP_HEADERS_TIMEOUT: "60s", HTTP_REQUEST_TIMEOUT: "120s" };
  const gateway = await startGatewayProcess({ ...env, ...patience, HTTP_WRITE_TIMEOUT: "2s" });
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  await until(async () => (await gateway.get(saleUuid)).status === 200);
  const { byteLength } = await (await gateway.get(saleUuid)).arrayBuffer();
  expect(FIGURES * byteLength).toBeGreaterThan(2 * MOST_BUFFERED_BYTES);
  const body = JSON.stringify({ SaleUUID: saleUuid, Wallet: WALLET });
  const lookUp = async () => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${gateway.url}/svc/v1/public/read-position`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const figures = `GET /svc/v1/public/sales/${saleUuid}/commitment-data HTTP/1.1\r\nHost: x\r\n\r\n`;
  const position = `POST /svc/v1/public/read-position HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return { gateway, lookUp, unread: figures.repeat(FIGURES) + position.repeat(LOOKUPS) };
}

describe("answers that eight addresses never read", () => {
  it("keep nobody else from read-position, cost no memory, and are cut", async () => {
    const { gateway, lookUp, unread } = await start();
    expect(await lookUp()).toBe(200);
    const before = await peakBytes(gateway.process.pid);
    const lookups = () => gateway.metric("tidemark_gateway_upstream_calls_total", 'method="GetPosition"');
    for (let host = 2; host < 2 + ATTACKERS; host++) {
      const socket = await sendUnread(gateway.port, `127.0.0.${host}`, unread);
      stack.defer(() => void socket.destroy());
    }
    await until(async () => (await lookups()) === 1 + ATTACKERS * LOOKUPS);
    const statuses: number[] = [];
    for (let read = 0; read < HONEST_READS; read++) statuses.push(await lookUp());
    expect(statuses).toEqual(new Array(HONEST_READS).fill(200));
    // A poll, so that a failure says how many were cut.
    await expect
      .poll(() => gateway.metric("tidemark_gateway_cut_answers_total", 'reason="unread"'), CUT)
      .toBe(ATTACKERS);
    expect((await peakBytes(gateway.process.pid)) - before).toBeLessThan(MOST_GROWTH_BYTES);
    expect(await lookUp()).toBe(200);
  });
});
