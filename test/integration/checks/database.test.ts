import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import process from "node:process";
import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../common/platform/checks/finding.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { deriveKeys } from "../../../services/auth/base/derived-keys.ts";
import { migrateStore, openStore } from "../../../services/auth/base/open-store.ts";
import { authChecks, authMigrationChecks } from "../../../services/auth/checks.ts";
import { KeyRing } from "../../../services/auth/keys/key-ring.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { mysqlOf } from "../../support/databases/mysql-of.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { findProgram } from "../../support/processes/program.ts";
import { expiredCertificate } from "../../support/processes/tls-certificate.ts";

const KEY = Buffer.alloc(32, 7);
const ISSUER = "https://auth.example";

describe.skipIf(findProgram("mariadbd") === undefined)("the check of a database (mariadbd)", () => {
  const stack = new AsyncDisposableStack();
  let mariaDb: MariaDb;

  beforeAll(async () => {
    mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  });
  afterAll(() => stack.disposeAsync());

  async function asRoot(...statements: readonly string[]): Promise<void> {
    const connection = await createConnection(mariaDb.url);
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  }

  /** A database with all tables and a signing key, and an account as docs/operating.md makes it. @returns its URL */
  async function migrated(name: string, privileges = "SELECT, INSERT, UPDATE, DELETE"): Promise<string> {
    const url = new URL(await mariaDb.createDatabase(name));
    const database = await openStore({ mysql: mysqlOf(url.href) });
    await migrateStore(database);
    const { signingKeyWrap } = deriveKeys(KEY);
    await KeyRing.open({
      database,
      clock: () => BigInt(Date.now()),
      issuer: ISSUER,
      wrapKeys: [signingKeyWrap],
      rotationMs: 86_400_000,
    });
    await database.close();
    await asRoot(`CREATE USER ${name} IDENTIFIED BY 'right-password'`, `GRANT ${privileges} ON ${name}.* TO ${name}`);
    url.username = name;
    url.password = "right-password";
    return url.href;
  }

  /** Findings about the database, but for those that are well. */
  async function check(mysqlUrl: string, settings: Readonly<Record<string, string>> = {}): Promise<readonly Finding[]> {
    const env = {
      MYSQL_URL: mysqlUrl,
      MIGRATIONS: "off",
      AUTH_URL: ISSUER,
      KEY_ENCRYPTION_KEY: KEY.toString("base64url"),
      MAIL_DIR: "mails",
      ...settings,
    };
    const probes = authChecks(new Env(env)).filter(({ subject }) => subject === "database");
    return runProbes(probes);
  }

  const wrongOf = (findings: readonly Finding[]) =>
    findings.filter(({ level }) => level !== "ok").map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
  const wrong = async (...parameters: Parameters<typeof check>) => wrongOf(await check(...parameters));

  it("finds nothing wrong where the service works", async () => {
    const findings = await check(await migrated("well"));
    expect(wrongOf(findings)).toEqual([]);
    expect(findings.map(({ subject }) => subject)).toEqual([
      "database",
      "database rights",
      "database session",
      "database collation",
      "database TLS",
      "database clock",
      "database schema",
      "stored keys",
    ]);
  });

  it("names a wrong password, a missing database and a closed port, without the password", async () => {
    const url = new URL(await migrated("reached"));
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url);
      change(other);
      return other.href;
    };
    const port = await freePort();
    const found = [
      await wrong(
        changed((other) => {
          other.password = "another-password";
        }),
      ),
      await wrong(
        changed((other) => {
          other.pathname = "/none_such";
        }),
      ),
      await wrong(
        changed((other) => {
          other.port = String(port);
        }),
      ),
    ];
    expect(found).toEqual([
      [
        "failed database: MYSQL_URL: expected user and password of an account that the database lets in from here: it refuses them",
      ],
      ["failed database: MYSQL_URL: expected a database that the account may use: grant the account its rights on it"],
      [`failed database: the connection couldn't be opened: connect ECONNREFUSED 127.0.0.1:${port}`],
    ]);
    expect(JSON.stringify(found)).not.toContain('password"');
  });

  it("names the rights that the account lacks, and those that --migrate needs", async () => {
    const url = await migrated("rights", "SELECT, UPDATE");
    expect(await wrong(url)).toEqual(["failed database rights: the account lacks INSERT, DELETE"]);
    const findings = await runProbes(authMigrationChecks(new Env({ MYSQL_URL: url })));
    expect(wrongOf(findings)).toEqual([
      "failed database rights: the account lacks INSERT, DELETE, CREATE, ALTER, INDEX",
    ]);
  });

  it("names a column that somebody has converted, and the database's own collation", async () => {
    const url = await migrated("collations");
    await asRoot("ALTER DATABASE collations CHARACTER SET latin1 COLLATE latin1_swedish_ci");
    expect(await wrong(url)).toEqual([expect.stringMatching(/^warning database collation: .* latin1_swedish_ci/)]);
    await asRoot("ALTER TABLE collations.signing_key CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");
    expect(await wrong(url)).toContainEqual(
      expect.stringMatching(/^failed database collation: column signing_key\.\w+ has the collation utf8mb4_general_ci/),
    );
  });

  it("names a session that something between has changed", async () => {
    const url = new URL(await migrated("session"));
    const server = createServer((client) => {
      const target = connect(mariaDb.port, "127.0.0.1");
      client.on("data", (chunk) =>
        target.write(chunk.toString("latin1").replace("time_zone = '+00:00'", "time_zone = '+02:00'"), "latin1"),
      );
      target.pipe(client);
      client.on("close", () => target.destroy());
      for (const socket of [client, target]) socket.on("error", () => {});
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    stack.defer(() => void server.close());
    url.port = String((server.address() as AddressInfo).port);
    const findings = await wrong(url.href);
    expect(findings).toContainEqual(
      expect.stringMatching(/^failed database session: .*time_zone is \+02:00, not \+00:00/),
    );
  });

  it("names missing migrations: a failure only where the start doesn't run them", async () => {
    const url = await mariaDb.createDatabase("empty");
    expect(await wrong(url)).toEqual([
      expect.stringMatching(/^failed database schema: \d+ migrations are missing, the first is /),
    ]);
    expect(await wrong(url, { MIGRATIONS: "start" })).toEqual([]);
  });

  it("names keys that the key-encryption key doesn't open", async () => {
    const url = await migrated("sealed");
    const other = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString("base64url") };
    expect(await wrong(url, other)).toEqual([
      expect.stringMatching(/^failed stored keys: KEY_ENCRYPTION_KEY doesn't open [12] of signing_key$/),
    ]);
    expect(await wrong(url, { ...other, KEY_ENCRYPTION_KEY_OTHER: KEY.toString("base64url") })).toEqual([]);
  });

  it("names an expired certificate", async () => {
    const tls = await expiredCertificate("localhost");
    const secured = stack.adopt(await startMariaDb({ tls }), (server) => server.stop());
    const url = `mysql://root@localhost:${secured.port}/mysql`;
    expect(await wrong(url, { MYSQL_CA: tls.cert })).toEqual([
      "failed database: the server's certificate has expired: renew it",
    ]);
  });

  it("is a task of the service, with exit code 1 and JSON for programs", async () => {
    const url = await migrated("task", "SELECT");
    const child = await startProcess({
      command: process.execPath,
      args: ["services/auth/main.ts", "--check-migrate", "--json"],
      env: { MYSQL_URL: url },
    });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(wrongOf(JSON.parse(child.output()))).toEqual([
      "failed database rights: the account lacks INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX",
    ]);
  });
});
