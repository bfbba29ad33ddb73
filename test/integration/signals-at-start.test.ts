import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { operatorKeyPath } from "../../common/platform/rpc/identity/operator-key-path.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { FREE_PORTS } from "../support/processes/embedded.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";

const STOPPED = { code: 0, signal: null };
/** The code that shells report for a SIGTERM. */
const NOT_DONE = { code: 143, signal: null };
const key = generateCallerKey().text;

describe("SIGTERM during the start", () => {
  const stack = new AsyncDisposableStack();
  /** Accepts connections and never answers: a database, or a service, that hangs. */
  let hanging: Server;
  let folder: string;
  beforeAll(async () => {
    hanging = createServer(() => {}).listen(0, "127.0.0.1");
    stack.defer(() => void hanging.close());
    await once(hanging, "listening");
    const temporary = await temporaryFolder();
    stack.defer(temporary.remove);
    folder = temporary.path;
  });
  afterAll(() => stack.disposeAsync());

  const start = async (main: string, args: readonly string[], settings: Readonly<Record<string, string>>) => {
    const env = { HOST: "127.0.0.1", ...FREE_PORTS, ...settings };
    const started = await startProcess({ command: process.execPath, args: [main, ...args], env });
    stack.defer(async () => void (await started.kill()));
    return started;
  };
  const serviceSettings = (service: string) => {
    const { port } = hanging.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const store = {
      MYSQL_URL: `mysql://tidemark@127.0.0.1:${port}/tidemark`,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64url"),
    };
    const accepting = { CALLER_KEYS: `operator=${key}` };
    const calling = { CALLER_NAME: service, CALLER_KEY: key, COMMITMENTS_URL: url };
    const issuer = { AUTH_URL: "https://auth.example" };
    const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      commitments: { ...store, ...accepting },
      auth: { ...store, ...accepting, ...calling, ...issuer, MAIL_DIR: folder },
      entities: { ...store, ...accepting, ...calling, ...issuer, AUTH_RPC_URL: url, INDEXER_URL: url },
      indexer: { ...accepting, ...calling },
      gateway: calling,
    };
    return settings[service] ?? {};
  };

  it.each([
    ["services/auth/main.ts", "auth", [], STOPPED],
    ["services/entities/main.ts", "entities", [], STOPPED],
    ["services/commitments/main.ts", "commitments", [], STOPPED],
    ["services/indexer/main.ts", "indexer", [], STOPPED],
    ["gateway/main.ts", "gateway", [], STOPPED],
    ["services/commitments/main.ts", "commitments", ["--migrate"], NOT_DONE],
    ["services/auth/main.ts", "auth", ["--await-migrations"], NOT_DONE],
  ] as const)("ends %s (%s) with what it waits for hanging %o", async (main, service, args, expected) => {
    const isConnected = once(hanging, "connection");
    const starting = await start(main, args, serviceSettings(service));
    await Promise.race([isConnected, starting.exited]);
    expect([await starting.kill("SIGTERM"), starting.output()]).toEqual([expected, expect.any(String)]);
  });

  it("ends npm start while its services start", async () => {
    const starting = await start("services/embedded.ts", [], { DATA_DIR: folder, DEMO_CHAIN: "off" });
    // It is written between the start of the commitments service and that of auth.
    await until(async () => existsSync(operatorKeyPath(folder)), 1);
    expect([await starting.kill("SIGTERM"), starting.output()]).toEqual([STOPPED, expect.any(String)]);
    expect(existsSync(operatorKeyPath(folder))).toBe(false);
  });
});
