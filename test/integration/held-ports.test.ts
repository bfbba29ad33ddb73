import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { databases } from "../support/databases/databases.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { TcpProxy } from "../support/processes/tcp-proxy.ts";
import { SOON } from "../support/repository/polling.ts";

const mariaDb = databases().find(({ name }) => name === "mariadb");
const key = generateCallerKey().text;
const callers = { CALLER_KEYS: `operator=${key}` };
const NOBODY = "http://127.0.0.1:1";
const calling = (name: string) => ({ COMMITMENTS_URL: NOBODY, CALLER_NAME: name, CALLER_KEY: key });
const people = { AUTH_URL: "https://auth.example", KEY_ENCRYPTION_KEY: key };
const signIn = { ...people, ...calling("auth"), SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "sale@example.com" };
const takingPart = { ...people, ...calling("entities"), AUTH_RPC_URL: NOBODY, INDEXER_URL: NOBODY };

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(inject("mariaDb").unavailable !== undefined)("while its database doesn't answer at the start", () => {
  it.each([
    ["services/commitments/main.ts", "COMMITMENTS_PORT", callers],
    ["services/auth/main.ts", "AUTH_PORT", { ...callers, ...signIn }],
    ["services/entities/main.ts", "ENTITIES_PORT", { ...callers, ...takingPart }],
  ])("%s holds its ports, isn't ready, and refuses calls as unavailable", async (main, variable, settings) => {
    const created = await mariaDb?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    const url = new URL(created.url);
    const proxy = stack.use(await TcpProxy.start([Number(url.port)]));
    proxy.hold();
    url.port = String(proxy.port);
    const [port, adminPort] = [await freePort(), await freePort()];
    const ports = { [variable]: String(port), ADMIN_PORT: String(adminPort) };
    const env = { ...settings, MYSQL_URL: url.href, ...ports };
    const service = await startProcess({ command: process.execPath, args: [main], env });
    stack.defer(async () => void (await service.kill()));
    const readiness = () => answerOf(`http://127.0.0.1:${adminPort}/readyz`);
    const health = () => answerOf(`http://127.0.0.1:${port}/grpc.health.v1.Health/Check`, "{}");

    const reasons = [{ name: "lifecycle", reason: "starting" }];
    await expect.poll(readiness, SOON).toEqual({ status: 503, body: { status: "not ready", reasons } });
    expect(await health()).toEqual({
      status: 503,
      body: { code: "unavailable", message: "the service is starting" },
    });
    proxy.mend();
    await expect.poll(readiness, SOON).toEqual({ status: 200, body: { status: "ready" } });
    expect(await health()).toEqual({ status: 200, body: { status: "SERVING" } });
  });
});

/** Answer to a GET, or to a POST of JSON; undefined while nobody listens. */
async function answerOf(url: string, body?: string): Promise<{ status: number; body: unknown } | undefined> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: body ?? "" };
  const answer = await fetch(url, body === undefined ? {} : post).catch(() => undefined);
  return answer && { status: answer.status, body: await answer.json() };
}
