import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { type RunningProcess, startProcess, startService } from "../support/processes/child-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { TcpProxy } from "../support/processes/tcp-proxy.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";

const NOBODY = "http://127.0.0.1:1";
const key = generateCallerKey().text;
const DONE = { code: 0, signal: null };
const LISTENS = /"msg":"\w+ service listens"/;

describe.skipIf(findProgram("mariadbd") === undefined)("a database that is away at the start (mariadbd)", () => {
  const stack = new AsyncDisposableStack();
  let mariaDb: MariaDb;
  let mails: string;
  beforeAll(async () => {
    mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    const folder = await temporaryFolder();
    stack.defer(folder.remove);
    mails = folder.path;
  });
  afterAll(() => stack.disposeAsync());

  const envOf = (service: string, mysqlUrl: string, settings: Readonly<Record<string, string>>) => ({
    [`${service.toUpperCase()}_PORT`]: "0",
    ADMIN_PORT: "0",
    MYSQL_URL: mysqlUrl,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64url"),
    AUTH_URL: "https://auth.example",
    AUTH_RPC_URL: NOBODY,
    INDEXER_URL: NOBODY,
    CALLER_NAME: service,
    CALLER_KEY: key,
    CALLER_KEYS: `operator=${key}`,
    ...(service === "commitments" ? {} : { COMMITMENTS_URL: NOBODY }),
    ...(service === "auth" ? { MAIL_DIR: mails } : {}),
    ...settings,
  });

  const start = async (
    service: string,
    mysqlUrl: string,
    settings: Readonly<Record<string, string>>,
    ready: RegExp,
  ): Promise<RunningProcess> => {
    const env = envOf(service, mysqlUrl, settings);
    const started = await startService({ main: `services/${service}/main.ts`, env, ready });
    return stack.adopt(started, async (process) => void (await process.kill()));
  };

  it.each(["auth", "entities", "commitments"])("keeps the %s service waiting, alive", async (service) => {
    const proxy = stack.use(await TcpProxy.start([mariaDb.port]));
    const url = new URL(await mariaDb.createDatabase(`absent_${service}`));
    url.port = String(proxy.port);
    proxy.cut();
    const reads = { MIGRATIONS: "off" };
    const reading = await start(service, url.href, reads, /waiting for the database to read/);
    const migrating = await start(service, url.href, {}, /waiting for the database to migrate/);
    const stopped = await start(service, url.href, reads, /waiting for the database to read/);
    expect(await stopped.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    proxy.mend();
    for (const process of [migrating, reading]) await process.waitForLine(LISTENS);
  });

  it.each(["auth", "entities", "commitments"])(
    "keeps the Job of the %s service's migrations waiting",
    async (service) => {
      const proxy = stack.use(await TcpProxy.start([mariaDb.port]));
      const url = new URL(await mariaDb.createDatabase(`job_${service}`));
      url.port = String(proxy.port);
      proxy.cut();
      const run = (argument: string) =>
        startProcess({
          command: process.execPath,
          args: [`services/${service}/main.ts`, argument],
          env: { MYSQL_URL: url.href, AUTH_URL: "https://auth.example" },
        });
      const pods = [await run("--migrate"), await run("--await-migrations")];
      for (const pod of pods) await pod.waitForLine(/waiting for the (database to migrate it|schema)/);
      proxy.mend();
      for (const pod of pods) expect([await pod.exited, pod.output()]).toEqual([DONE, expect.any(String)]);
    },
  );

  it.each(["auth", "entities", "commitments"])(
    "ends the start of the %s service if the database refuses the account, naming the setting",
    async (service) => {
      const url = new URL(await mariaDb.createDatabase(`refusing_${service}`));
      url.username = "nobody";
      url.password = "wrong-password";
      const env = envOf(service, url.href, { MIGRATIONS: "off" });
      const refused = await startProcess({ command: process.execPath, args: [`services/${service}/main.ts`], env });
      expect([await refused.exited, refused.output()]).toEqual([
        { code: 78, signal: null },
        expect.stringMatching(/^MYSQL_URL: expected user and password/m),
      ]);
      expect(refused.output()).not.toContain("wrong-password");
    },
  );

  it.each(["auth", "entities", "commitments"])(
    "ends the %s service likewise if the database refuses the account once it answers",
    async (service) => {
      const proxy = stack.use(await TcpProxy.start([mariaDb.port]));
      const url = new URL(await mariaDb.createDatabase(`refusing_late_${service}`));
      [url.port, url.username, url.password] = [String(proxy.port), "nobody", "wrong-password"];
      proxy.cut();
      const refused = await start(service, url.href, { MIGRATIONS: "off" }, /waiting for the database to /);
      proxy.mend();
      expect(await refused.exited).toEqual({ code: 78, signal: null });
      expect(refused.output()).toMatch(/^MYSQL_URL: expected user and password/m);
    },
  );
});
