import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { databases } from "../support/databases/databases.ts";
import { runCliProcess } from "../support/processes/cli.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { RestartableCommitments } from "../support/processes/restartable-commitments.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];
const READS = 30;
const { unavailable } = inject("mariaDb");

/** Reads of sales that don't exist, each of which the gateway asks a service for. */
async function readStatuses(gateway: GatewayProcess): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < READS) statuses.push((await gateway.get(randomUUID())).status);
  return statuses;
}

describe.skipIf(unavailable !== undefined)(`a list of commitments services (${unavailable ?? "on MariaDB"})`, () => {
  const stack = new AsyncDisposableStack();
  let services: readonly RestartableCommitments[];
  let gateway: GatewayProcess;
  let list: string;

  beforeAll(async () => {
    const created = await databases()
      .find(({ name }) => name === "mariadb")
      ?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    const env = { MYSQL_URL: created.url, CALLER_KEYS: `operator=${operator.text},gateway=${gatewayKey.text}` };
    const start = async () =>
      stack.adopt(await RestartableCommitments.start(env, { key: operator }), async (service) => {
        await service.kill();
      });
    services = [await start(), await start()];
    list = services.map(({ url }) => url).join(",");
    const caller = { CALLER_NAME: "gateway", CALLER_KEY: gatewayKey.text };
    gateway = stack.adopt(await startGatewayProcess({ COMMITMENTS_URL: list, ...caller }), async ({ process }) => {
      await process.kill();
    });
  });
  afterAll(() => stack.disposeAsync());

  /** Reads that each of the services has answered for the gateway. */
  function answered(): Promise<number[]> {
    return Promise.all(
      services.map(async ({ running }) => {
        const text = await (await fetch(`${running.adminUrl}/metrics`)).text();
        const count = /^tidemark_rpc_requests_total\{.*method="GetCommitmentData".*\} (\d+)$/m.exec(text);
        return Number(count?.[1] ?? 0);
      }),
    );
  }

  it("gets calls at each of them", async () => {
    expect(new Set(await readStatuses(gateway))).toEqual(new Set([404]));
    for (const count of await answered()) expect(count).toBeGreaterThan(0);
  });

  it("shows a sale on while one of them is killed, and takes it up again when it is back", async () => {
    const [first, second] = services;
    if (first === undefined || second === undefined) throw new Error("there are two");
    const saleUuids = [await openedSale(second), await openedSale(second), await openedSale(second)];
    const shown = (saleUuid: string) => gateway.get(saleUuid).then((response) => response.json());
    for (const saleUuid of saleUuids)
      await expect.poll(() => shown(saleUuid), SOON).toMatchObject({ UniqueCommitmentCount: 0 });
    await first.kill();
    expect(new Set(await readStatuses(gateway))).toEqual(new Set([404]));
    for (const saleUuid of saleUuids) {
      await apply(second, saleUuid, { upserts: [record(1)] });
      await expect.poll(() => shown(saleUuid), SOON).toMatchObject({ UniqueCommitmentCount: 1 });
    }
    const listed = await runCliProcess(["sale", "list"], { COMMITMENTS_URL: list, CALLER_KEY: operator.text });
    expect([listed.code, listed.errors]).toEqual([0, ""]);
    await first.restart();
    await expect
      .poll(async () => {
        await readStatuses(gateway);
        return (await answered())[0];
      }, SOON)
      .toBeGreaterThan(0);
  });
});
