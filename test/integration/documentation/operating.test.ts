import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startNats } from "../../support/processes/nats.ts";
import { operatingCommands } from "../../support/processes/operating-commands.ts";
import { findProgram } from "../../support/processes/program.ts";
import { runShell } from "../../support/processes/shell.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, codeSpans, onlyCodeBlock, tableRows } from "../../support/repository/markdown.ts";
import { SOON } from "../../support/repository/polling.ts";
import { readRepository } from "../../support/repository/repository.ts";

const document = readRepository("docs/operating.md");
/** Ports of the five processes. */
const PORTS = ["8080", "8081", "8082", "8083", "8084", "9090", "9091", "9092", "9093", "9094"];
const { unavailable } = inject("mariaDb");
const busUnavailable = findProgram("nats-server") === undefined ? "nats-server is not installed" : undefined;

const title = `docs/operating.md${unavailable === undefined ? "" : ` (${unavailable})`}`;

/** Carries out what the document says from an empty database on, word for word but for ports and folder. */
describe.skipIf(unavailable !== undefined)(title, () => {
  let mariaDb: MariaDb;
  let folder: TemporaryFolder;
  let ports: ReadonlyMap<string, number>;
  let commands: ReturnType<typeof operatingCommands>;
  let saleUuid: string;
  let commitments: RunningProcess;
  let gateway: RunningProcess;

  beforeAll(async () => {
    [mariaDb, folder] = await Promise.all([startMariaDb(), temporaryFolder()]);
    ports = new Map([["3306", mariaDb.port]]);
    for (const port of PORTS) ports = new Map([...ports, [port, await freePort()]]);
    commands = operatingCommands({ folder: folder.path, ports });
    await createAccounts();
    await runShell(commands.configure, folder.path);
    await runShell(commands.migrate);
    commitments = await start(commands.runCommitments);
    gateway = await start(commands.runGateway);
  });
  afterAll(async () => {
    await Promise.all([gateway?.kill(), commitments?.kill()]);
    await Promise.all([mariaDb?.stop(), folder?.remove()]);
  });

  function urlOf(port: string, path: string): string {
    return `http://127.0.0.1:${ports.get(port)}${path}`;
  }

  /** Status of reading a sale that doesn't exist; each time another one, as the gateway remembers for a second. */
  async function readStatus(): Promise<number> {
    const path = `/svc/v1/public/sales/${randomUUID()}/commitment-data`;
    return (await fetch(urlOf("8080", path))).status;
  }

  async function readyStatus(port: string): Promise<number> {
    return (await fetch(urlOf(port, "/readyz"))).status;
  }

  async function createAccounts(): Promise<void> {
    const connection = await createConnection({ uri: mariaDb.url, multipleStatements: true });
    await connection.query(onlyCodeBlock(document, "sql"));
    await connection.end();
  }

  function start(command: string): Promise<RunningProcess> {
    return startProcess({ command: "sh", args: ["-c", `exec ${command}`], ready: /"msg":"[a-z ]*listens"/ });
  }

  async function shownSale(): Promise<unknown> {
    return (await fetch(urlOf("8080", `/svc/v1/public/sales/${saleUuid}/commitment-data`))).json();
  }

  it("leads to a gateway that is ready", async () => {
    const [answer] = codeBlocks(document, "json");
    await vi.waitFor(async () => {
      expect(JSON.parse(await runShell(commands.askReadiness))).toEqual(JSON.parse(answer?.code ?? ""));
    }, SOON);
    expect(await readStatus()).toBe(404);
  });

  it("leads to a sale that anyone can read", async () => {
    const [opened = "", body = ""] = (await runShell(`${commands.createSale}\necho; echo $SALE`)).split(/(?=^\{)/m);
    expect(opened).toContain("open");
    saleUuid = body.trim().split("\n").at(-1) ?? "";
    expect(body).toContain('"UniqueCommitmentCount":0');
    expect(await shownSale()).toMatchObject({ UniqueCommitmentCount: 0 });
  });

  it("leads to a commitments service that an operator can call, with no right to change tables", async () => {
    const settings = await readFile(join(folder.path, "commitments.env"), "utf8");
    const key = Buffer.from(/operator=(\S+)/.exec(settings)?.[1] ?? "", "base64url");
    const caller = { name: "operator", key, audience: COMMITMENTS_AUDIENCE };
    const transport = createRpcTransport({ baseUrl: urlOf("8081", ""), caller, defaultTimeoutMs: 30_000 });
    expect((await createClient(SaleService, transport).listSales({})).sales).toHaveLength(1);
    const url = /MYSQL_URL=(\S+)/.exec(settings)?.[1] ?? "";
    const connection = await createConnection(url);
    await expect(connection.query("create table other (id int)")).rejects.toThrow("denied");
    await connection.end();
  });

  it("names every metric of the two processes without bus, auth, entities and webhooks with its labels, and no other", async () => {
    const texts = ["9090", "9091"].map(async (port) => (await fetch(urlOf(port, "/metrics"))).text());
    const documented = tableRows(document, "metric")
      .filter(([name = ""]) => !/tidemark_(indexer|auth|entities|bus|gateway_auth|jwks|webhook)_/.test(name))
      .map(([name = "", labels = ""]) => [codeSpans(name)[0], codeSpans(labels)]);
    expect(Object.fromEntries(documented)).toEqual(ownMetrics((await Promise.all(texts)).join("\n")));
  });

  it("says rightly what happens while the database is away", async () => {
    await mariaDb.kill();
    // The first call may run out of time before its connection is known to be lost: 504.
    await vi.waitFor(async () => expect(await readStatus()).toBe(503), SOON);
    await vi.waitFor(async () => expect(await readyStatus("9091")).toBe(503), SOON);
    await mariaDb.restart();
    await vi.waitFor(async () => expect([await readStatus(), await readyStatus("9091")]).toEqual([404, 200]), SOON);
  });

  it("says rightly what happens while the commitments service is away, and how a process ends", async () => {
    expect(await commitments.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect([await readStatus(), await readyStatus("9090")]).toEqual([503, 200]);
    expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  const all = `leads on to five processes with sign-in, contracts, taking part and live updates${busUnavailable ? ` (${busUnavailable})` : ""}`;
  it.skipIf(busUnavailable !== undefined)(all, async () => {
    await using stack = new AsyncDisposableStack();
    const nats = stack.adopt(await startNats(), (server) => server.stop());
    const place = { folder: folder.path, ports: new Map([...ports, ["4222", Number(new URL(nats.url).port)]]) };
    const { configure, configureIndexer, configureAuth, configureEntities, configureBus, ...run } =
      operatingCommands(place);
    // One shell, as its variables have the keys.
    const settings = [configure, configureIndexer, configureAuth, configureEntities, configureBus];
    await runShell(settings.join("\n"), folder.path);
    await runShell(run.migrateAuth);
    await runShell(run.migrateEntities);
    const startAnew = async (command: string) =>
      stack.adopt(await start(command), async (running) => void (await running.kill()));
    for (const command of [run.runCommitments, run.runGateway, run.runIndexer, run.runEntities]) {
      await startAnew(command);
    }
    const auth = await startAnew(run.runAuth);
    for (const port of ["9090", "9091", "9092", "9093", "9094"]) {
      await vi.waitFor(async () => expect([port, await readyStatus(port)]).toEqual([port, 200]), SOON);
    }
    expect(await shownSale()).toMatchObject({ UniqueCommitmentCount: 0 });
    const metadata = await fetch(urlOf("8080", "/.well-known/oauth-authorization-server"));
    expect(await metadata.json()).toMatchObject({ issuer: "https://sale.example.com" });
    expect(await (await fetch(urlOf("9090", "/metrics"))).text()).toMatch(/^tidemark_bus_connected.* 1$/m);
    expect(await runShell(run.inviteFounder)).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(await runShell(run.removeKeys)).toMatch(/^removed:\n.* active .*\nkept:\n/s);
    await auth.kill("SIGTERM");
    await runShell(run.changeKey, folder.path);
    await startAnew(run.runAuth);
    expect(await runShell(run.rewrapSecrets)).toMatch(
      /signing_key +0 +2 +0\n.*again: .*present key [0-9a-f]{16}.*KEY_ENCRYPTION_KEY_OTHER may be removed/s,
    );
    const list = run.renewGenerations.replace("generation renew --all", "chains");
    expect(await runShell(list)).toContain("ethereum");
  });
});

it("docs/operating.md gives no port to two processes", () => {
  const blocks = codeBlocks(document, "sh").map(({ code }) => code);
  const given = [...blocks.join("").matchAll(/^\w+_PORT=(\d+)$/gm)].map(([, port = ""]) => port);
  expect(given.toSorted()).toEqual(PORTS);
});

describe("the exit codes of docs/operating.md", () => {
  const KEY = Buffer.alloc(32).toString("base64url");
  const ANY_PORTS = { COMMITMENTS_PORT: "0", ADMIN_PORT: "0", CALLER_KEYS: `operator=${KEY}` };

  it.each([
    ["78", "a setting that is wrong", { APPLY_MAX_ROWS: "many" }, /^APPLY_MAX_ROWS: expected an integer.*$/],
    ["1", "a file that is no database", {}, /not a database/],
  ])("are %s for %s", async (code, _, env, output) => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    await writeFile(join(folder.path, "commitments.sqlite"), "This is no database.".repeat(100));
    const args = ["services/commitments/main.ts"];
    const running = await startProcess({ command: "node", args, env: { ...ANY_PORTS, DATA_DIR: folder.path, ...env } });
    expect(await running.exited).toEqual({ code: Number(code), signal: null });
    expect(running.output()).toMatch(output);
    expect(tableRows(document, "exit code").map(([documented]) => documented)).toContain(code);
  });
});

/** Names and labels of the metrics that aren't the runtime's, from Prometheus text. */
function ownMetrics(text: string): Record<string, string[]> {
  const names = [...text.matchAll(/^# TYPE (tidemark_\w+) /gm)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, labelsOf(name, text)]));
}

function labelsOf(name: string, text: string): string[] {
  const [, labels = ""] = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, "m").exec(text) ?? [];
  return [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
}
