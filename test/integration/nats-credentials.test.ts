import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import type { RunningProcess } from "../support/processes/child-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { type Nats, startNats } from "../support/processes/nats.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { POLL_TIMEOUT_MS } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const WAIT = { timeout: POLL_TIMEOUT_MS };
const PASSWORD = `test-right-${"x".repeat(20)}`;
const configuration = (password: string) => `authorization: { user: tidemark, password: ${password} }`;
const REFUSED = /^\{.*"msg":"NATS can't be reached".*$/;
const CONNECTED = /^\{.*"connected":true.*"msg":"NATS is connected".*$/;

const stack = new AsyncDisposableStack();
const key = generateCallerKey();
let nats: Nats;
let service: CommitmentsProcess;
/** One asks for revisions often, the other so rarely that it knows what it knows from the bus. */
let polling: GatewayProcess;
let hearing: GatewayProcess;
beforeAll(async () => {
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  nats = stack.adopt(await startNats(configuration("another-password")), (server) => server.stop());
  const bus = { NATS_URL: nats.url, NATS_USER: "tidemark", NATS_PASSWORD: PASSWORD };
  service = stack.adopt(
    await startCommitmentsProcess(
      { DATA_DIR: folder.path, NATS_STREAM_MAX_BYTES: "16MiB", ...bus },
      { otherCallers: { gateway: key.text } },
    ),
    async ({ process }) => void (await process.kill("SIGTERM")),
  );
  const gatewayEvery = async (maxStale: string) =>
    stack.adopt(
      await startGatewayProcess({
        COMMITMENTS_URL: service.url,
        CALLER_NAME: "gateway",
        CALLER_KEY: key.text,
        CACHE_MAX_STALE: maxStale,
        ...bus,
      }),
      async ({ process }) => void (await process.kill("SIGTERM")),
    );
  polling = await gatewayEvery("250ms");
  hearing = await gatewayEvery("60s");
});
afterAll(() => stack.disposeAsync());

const processes = (): readonly RunningProcess[] => [service, polling, hearing].map(({ process }) => process);

/** Number of a gateway's requests for what has changed. */
const asks = () => hearing.metric("tidemark_gateway_upstream_calls_total", 'method="GetRevisions"');

async function countAt(gateway: GatewayProcess, saleUuid: string): Promise<number> {
  return (await (await gateway.get(saleUuid)).json()).UniqueCommitmentCount;
}

it("processes with wrong NATS credentials say so, serve by polling, and use the bus once they are right", async () => {
  for (const process of processes()) {
    const [line] = await process.waitForLine(REFUSED);
    expect(line).toMatch(/authorization/i);
    expect(line).not.toContain(PASSWORD);
  }
  const saleUuid = await openedSale(service);
  expect(await countAt(polling, saleUuid)).toBe(0);
  await apply(service, saleUuid, { upserts: [record(1)] });
  await vi.waitFor(async () => expect(await countAt(polling, saleUuid)).toBe(1), WAIT);

  await nats.configure(configuration(PASSWORD));
  for (const process of processes()) await process.waitForLine(CONNECTED);
  const reader = await StreamReader.open(`${hearing.url}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`);
  expect(JSON.parse((await reader.event()).data ?? "")).toMatchObject({ UniqueCommitmentCount: 1 });
  let isHeard = false;
  for (let number = 2; !isHeard; number++) {
    const asked = await asks();
    expect(asked).toBeGreaterThan(0);
    await apply(service, saleUuid, { upserts: [record(number)] });
    expect(JSON.parse((await reader.event()).data ?? "")).toMatchObject({ Totals: { UniqueCommitmentCount: number } });
    isHeard = (await asks()) === asked;
  }
  reader.close();
});
