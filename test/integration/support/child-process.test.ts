import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningProcess, startProcess, startService } from "../../support/processes/child-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";

const CHILD_PROCESS = JSON.stringify(new URL("../../support/processes/child-process.ts", import.meta.url).href);
const READY_AND_WAIT = 'console.log("ready"); setInterval(() => {}, 1e6);';

describe("startService and startProcess", () => {
  let folder: TemporaryFolder;
  const started: RunningProcess[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(started.splice(0).map((service) => service.kill()));
  });
  afterAll(() => folder.remove());

  async function script(name: string, source: string): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, source);
    return path;
  }

  async function start(main: string, env: Record<string, string> = {}): Promise<RunningProcess> {
    const service = await startService({ main, env, ready: /^ready/ });
    started.push(service);
    return service;
  }

  it("passes on the environment that is named, and no more", async () => {
    vi.stubEnv("TIDEMARK_TEST_SECRET", "leaked");
    const main = await script("env.ts", `console.log(JSON.stringify(process.env)); ${READY_AND_WAIT}`);
    const service = await start(main, { GREETING: "hello" });
    expect(service.output()).toContain('"GREETING":"hello"');
    expect(service.output()).not.toContain("leaked");
  });

  it("finds lines printed before and after it was asked, on both streams", async () => {
    const onSignal = 'process.on("SIGUSR2", () => console.error("late 2"));';
    const service = await start(await script("lines.ts", `${onSignal} console.log("early 1"); ${READY_AND_WAIT}`));
    expect((await service.waitForLine(/early (\d)/))[1]).toBe("1");
    const late = service.waitForLine(/late (\d)/);
    service.signal("SIGUSR2");
    expect((await late)[1]).toBe("2");
  });

  it("reports an end before readiness with code and output", async () => {
    const main = await script("fails.ts", 'console.error("no such port"); process.exitCode = 78;');
    await expect(start(main)).rejects.toThrow(/code 78[\s\S]*no such port/);
  });

  it("rejects where the command doesn't exist", async () => {
    await expect(startProcess({ command: join(folder.path, "absent") })).rejects.toThrow("ENOENT");
  });

  it("says how the process ended, as often as it is asked", async () => {
    const service = await start(await script("waits.ts", READY_AND_WAIT));
    expect(await service.kill("SIGTERM")).toEqual({ code: null, signal: "SIGTERM" });
    expect(await service.kill("SIGKILL")).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("kills a child when its parent was killed with SIGKILL", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connected = once(server, "connection");
    const parent = await start(await parentOfClient(port));
    const socket = (await connected)[0] as Socket;
    // The kernel ends the connection when the grandchild dies, and nothing else does.
    const closed = once(socket.resume(), "close");

    await parent.kill("SIGKILL");

    await closed;
    server.close();
  });

  /** A process that starts another one, which connects to `port` and stays. */
  async function parentOfClient(port: number): Promise<string> {
    const client = await script(
      "client.ts",
      `import { connect } from "node:net"; connect(${port}, "127.0.0.1"); ${READY_AND_WAIT}`,
    );
    return script(
      "parent.ts",
      `import { startService } from ${CHILD_PROCESS};
       await startService({ main: ${JSON.stringify(client)}, ready: /^ready/ });
       ${READY_AND_WAIT}`,
    );
  }
});
