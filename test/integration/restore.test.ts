import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { applyEvent } from "../../gateway/testing/apply-event.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { generateCallerKey } from "../../services/shared/rpc/identity/caller-keys.ts";
import { runCliProcess } from "../support/cli.ts";
import { databases } from "../support/databases.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { SOON } from "../support/polling.ts";
import { requireProgram } from "../support/program.ts";
import { RestartableCommitments } from "../support/restartable-commitments.ts";
import { apply, openedSale, record } from "../support/sale-messages.ts";

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
    const caller = { CALLER_NAME: "gateway", CALLER_KEY: gatewayKey.text };
    const gateway = await startGatewayProcess({ COMMITMENTS_URL: service.url, ...caller });
    stack.defer(async () => void (await gateway.process.kill()));
    const saleUuid = await openedSale(service);
    const bid = (number: number) => apply(service, saleUuid, { upserts: [record(number)] });
    const countShown = async () => (await (await gateway.get(saleUuid)).json()).UniqueCommitmentCount;

    await bid(1);
    const backup = await dump(created.url);
    await bid(2);
    await bid(3);
    await expect.poll(countShown, SOON).toBe(3);
    const etag = (await gateway.get(saleUuid)).headers.get("etag") ?? "";
    const url = `${gateway.url}/svc/v1/public/sales/${saleUuid}/commitment-data`;
    const stream = await StreamReader.open(`${url}/stream`);
    stack.defer(() => stream.close());
    expect(applyEvent(undefined, await stream.event())).toMatchObject({ UniqueCommitmentCount: 3 });

    await service.kill("SIGTERM");
    await restore(created.url, backup);
    await service.restart();
    const renewed = await runCliProcess(["generation", "renew", "--all"], {
      COMMITMENTS_URL: service.url,
      CALLER_KEY: operator.text,
    });
    expect([renewed.code, renewed.errors]).toEqual([0, ""]);

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

function dump(url: string): Promise<Buffer> {
  return run("mariadb-dump", ["--single-transaction"], url);
}

async function restore(url: string, backup: Buffer): Promise<void> {
  await run("mariadb", [], url, backup);
}

/** @throws Error with what the program says where it fails */
async function run(program: string, options: readonly string[], url: string, input?: Buffer): Promise<Buffer> {
  const { hostname, port, username, pathname } = new URL(url);
  const server = ["--no-defaults", `--host=${hostname}`, `--port=${port}`, `--user=${username}`];
  const child = spawn(requireProgram(program), [...server, ...options, pathname.slice(1)]);
  child.stdin.end(input);
  const exit = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
  const [output, errors, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), exit]);
  if (code !== 0) throw new Error(`${program}: ${errors}`);
  return output;
}
