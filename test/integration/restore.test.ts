import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { applyEvent } from "../../gateway/testing/apply-event.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { databases } from "../support/databases/databases.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { operatingCommands } from "../support/processes/operating-commands.ts";
import { RestartableCommitments } from "../support/processes/restartable-commitments.ts";
import { runShell } from "../support/processes/shell.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const mariaDb = databases().find(({ name }) => name === "mariadb");
const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(inject("mariaDb").unavailable !== undefined)("a database that was restored", () => {
  it("is believed by gateways, open streams and holders of ETags after generation renew", async () => {
    const created = await mariaDb?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    const CALLER_KEYS = `operator=${operator.text},gateway=${gatewayKey.text}`;
    const env = { MYSQL_URL: created.url, CALLER_KEYS };
    const service = await RestartableCommitments.start(env, { key: operator });
    stack.defer(async () => void (await service.kill()));
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    const commands = await documentedCommands(created.url, service.url, folder.path);
    const caller = { CALLER_NAME: "gateway", CALLER_KEY: gatewayKey.text };
    const gateway = await startGatewayProcess({ COMMITMENTS_URL: service.url, ...caller });
    stack.defer(async () => void (await gateway.process.kill()));
    const saleUuid = await openedSale(service);
    const bid = (number: number) => apply(service, saleUuid, { upserts: [record(number)] });
    const countShown = async () => (await (await gateway.get(saleUuid)).json()).UniqueCommitmentCount;

    await bid(1);
    await runShell(commands.backUp);
    await bid(2);
    await bid(3);
    await expect.poll(countShown, SOON).toBe(3);
    const etag = (await gateway.get(saleUuid)).headers.get("etag") ?? "";
    const url = `${gateway.url}/svc/v1/public/sales/${saleUuid}/commitment-data`;
    const stream = await StreamReader.open(`${url}/stream`);
    stack.defer(() => stream.close());
    expect(applyEvent(undefined, await stream.event())).toMatchObject({ UniqueCommitmentCount: 3 });

    await service.kill("SIGTERM");
    await runShell(commands.restore);
    await service.restart();
    expect(await runShell(commands.renewGenerations)).toBe("1 sale has a new generation\n");

    await expect.poll(countShown, SOON).toBe(1);
    const event = await stream.event();
    expect(event.event).toBe("body");
    expect(applyEvent(undefined, event)).toMatchObject({ UniqueCommitmentCount: 1 });
    const headers = { "if-none-match": etag };
    expect((await fetch(url, { headers })).status).toBe(200);
    await bid(4);
    await expect.poll(countShown, SOON).toBe(2);
    expect((await stream.event()).event).toBe("difference");
  });
});

/** The commands of docs/operating.md for a database of another name, with the operator's settings beside them. */
async function documentedCommands(databaseUrl: string, serviceUrl: string, folder: string) {
  const { port, pathname } = new URL(databaseUrl);
  await writeFile(join(folder, "operator.env"), `COMMITMENTS_URL=${serviceUrl}\nCALLER_KEY=${operator.text}\n`);
  const { backUp, ...others } = operatingCommands({ folder, ports: new Map([["3306", Number(port)]]) });
  return { ...others, backUp: backUp.replace("--databases tidemark", `--databases ${pathname.slice(1)}`) };
}
