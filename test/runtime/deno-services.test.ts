import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";

const READY = /^\{.*"adminPort":(\d+).*listens"\}$/;
/** Nobody is there; each service starts and waits. */
const NOBODY = "http://127.0.0.1:1";

/** Every service, with the permissions of its task in deno.json. */
describe("on Deno", () => {
  const key = generateCallerKey().text;
  const calling = (name: string) => ({ COMMITMENTS_URL: NOBODY, CALLER_NAME: name, CALLER_KEY: key });
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  it.each([
    ["commitments", () => ({ COMMITMENTS_PORT: "0", CALLER_KEYS: `operator=${key}`, DATA_DIR: folder.path })],
    [
      "auth",
      () => ({
        ...calling("auth"),
        AUTH_PORT: "0",
        AUTH_URL: "https://auth.example",
        KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64url"),
        CALLER_KEYS: `gateway=${key}`,
        DATA_DIR: folder.path,
        MAIL_DIR: `${folder.path}/mail`,
      }),
    ],
    [
      "entities",
      () => ({
        ...calling("entities"),
        ENTITIES_PORT: "0",
        AUTH_URL: "https://auth.example",
        AUTH_RPC_URL: NOBODY,
        INDEXER_URL: NOBODY,
        KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64url"),
        CALLER_KEYS: `gateway=${key}`,
        DATA_DIR: folder.path,
      }),
    ],
    [
      "indexer",
      () => ({
        ...calling("indexer"),
        INDEXER_PORT: "0",
        CALLER_KEYS: `operator=${key}`,
        CHAINS: JSON.stringify({
          evm: { kind: "evm", chainId: 1, urls: [NOBODY] },
          svm: { kind: "svm", urls: [NOBODY] },
        }),
      }),
    ],
    ["gateway", () => ({ ...calling("gateway"), GATEWAY_PORT: "0" })],
  ])("deno task %s serves with these permissions, and stops cleanly", async (task, settings) => {
    const service = await startTask(task, { ADMIN_PORT: "0", ...settings() }, READY);
    const [, adminPort] = await service.waitForLine(READY);
    expect((await fetch(`http://127.0.0.1:${adminPort}/healthz`)).status).toBe(200);
    expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(service.output()).not.toMatch(/NotCapable|Requires \w+ access/);
  });

  it("deno task tidemark runs with these permissions", async () => {
    const command = await startProcess({ command: "deno", args: ["task", "--quiet", "tidemark", "--help"] });
    expect(await command.exited).toEqual({ code: 0, signal: null });
    expect(command.output()).toContain("sale create");
  });
});

function startTask(task: string, env: Readonly<Record<string, string>>, ready: RegExp): Promise<RunningProcess> {
  return startProcess({ command: "deno", args: ["task", "--quiet", task], env, ready });
}
