import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService } from "../support/processes/child-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { TcpProxy } from "../support/processes/tcp-proxy.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { TokenIssuer } from "../support/processes/token-issuer.ts";
import { SOON } from "../support/repository/polling.ts";

const stack = new AsyncDisposableStack();
let folder: string;
let issuer: TokenIssuer;
beforeAll(async () => {
  const temporary = await temporaryFolder();
  stack.defer(temporary.remove);
  folder = temporary.path;
  issuer = stack.adopt(await TokenIssuer.start(folder), (started) => started.stop());
});
afterAll(() => stack.disposeAsync());

/** Starts a process with a port of its own for `/readyz`. */
async function start(main: string, port: string, env: Readonly<Record<string, string>>) {
  const [own, admin] = [await freePort(), await freePort()];
  const ports = { [port]: String(own), ADMIN_PORT: String(admin), DATA_DIR: folder };
  const ready = /"msg":"(commitments service|gateway) listens"/;
  stack.adopt(await startService({ main, env: { ...ports, ...env }, ready }), async (process) => {
    await process.kill();
  });
  /** Names of what keeps it from being ready. */
  const missing = async (): Promise<string[]> => {
    const { reasons = [] } = (await (await fetch(`http://127.0.0.1:${admin}/readyz`)).json()) as {
      readonly reasons?: readonly { readonly name: string }[];
    };
    return reasons.map(({ name }) => name);
  };
  return { port: own, missing };
}

it("a gateway that is ready answers its first reads, whatever came up when", async () => {
  const serverEnv = issuer.serverEnv("commitments");
  const jwks = new URL(serverEnv["CALLER_TOKEN_JWKS_URL"] ?? "");
  const toIssuer = stack.use(await TcpProxy.start([Number(jwks.port)]));
  jwks.port = String(toIssuer.port);
  toIssuer.cut();
  const commitments = await start("services/commitments/main.ts", "COMMITMENTS_PORT", {
    ...serverEnv,
    CALLER_TOKEN_JWKS_URL: jwks.href,
  });
  const toCommitments = stack.use(await TcpProxy.start([commitments.port]));
  toCommitments.cut();
  const gateway = await start("gateway/main.ts", "GATEWAY_PORT", {
    COMMITMENTS_URL: `http://127.0.0.1:${toCommitments.port}`,
    CALLER_TOKEN_DIR: issuer.folderOf("gateway"),
    // No first load is too slow on a busy machine.
    COMMITMENTS_TIMEOUT: "30s",
  });
  const read = async () => {
    const path = `/svc/v1/public/sales/${randomUUID()}/commitment-data`;
    return (await fetch(`http://127.0.0.1:${gateway.port}${path}`)).status;
  };
  expect(await read()).toBe(503);
  expect(await gateway.missing()).toEqual(["commitments"]);

  // It answers now, but can't verify who calls.
  toCommitments.mend();
  await expect.poll(commitments.missing, SOON).toEqual(["keys of callers' tokens"]);
  expect(await read()).toBe(503);
  expect(await gateway.missing()).toEqual(["commitments"]);

  toIssuer.mend();
  await expect.poll(gateway.missing, SOON).toEqual([]);
  expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill(404));
  expect(await commitments.missing()).toEqual([]);

  // An outage that comes later makes neither unready.
  toIssuer.cut();
  toCommitments.cut();
  expect(await read()).toBe(503);
  expect([await gateway.missing(), await commitments.missing()]).toEqual([[], []]);
});
