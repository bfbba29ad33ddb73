import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { findProgram } from "../../support/processes/program.ts";

describe.skipIf(findProgram("mariadbd") === undefined)("startMariaDb (mariadbd)", () => {
  let mariaDb: MariaDb;

  beforeAll(async () => {
    mariaDb = await startMariaDb();
  });
  afterAll(() => mariaDb.stop());

  it("keeps committed rows through SIGKILL and a restart on the same port", async () => {
    const url = await mariaDb.createDatabase("restart");
    await withConnection(url, async (connection) => {
      await connection.query("CREATE TABLE t (id INT PRIMARY KEY)");
      await connection.query("INSERT INTO t VALUES (7)");
    });
    const killed = mariaDb.pid;
    await mariaDb.kill("SIGKILL");
    await expect(createConnection(url)).rejects.toThrow("ECONNREFUSED");

    await mariaDb.restart();

    expect(mariaDb.pid).not.toBe(killed);
    const [rows] = await withConnection(url, (connection) => connection.query("SELECT id FROM t"));
    expect(rows).toEqual([{ id: 7 }]);
  });

  it("compares text byte by byte, as the stores expect", async () => {
    const url = await mariaDb.createDatabase("collation");
    const [rows] = await withConnection(url, async (connection) => {
      await connection.query("CREATE TABLE t (name VARCHAR(8))");
      await connection.query("INSERT INTO t VALUES ('a')");
      return connection.query("SELECT name = 'A' AS folded FROM t");
    });
    expect(rows).toEqual([{ folded: 0 }]);
  });

  it("refuses a database name that could carry SQL", async () => {
    await expect(mariaDb.createDatabase("x`; DROP DATABASE mysql")).rejects.toThrow("bad database name");
  });
});

type Connection = Awaited<ReturnType<typeof createConnection>>;

async function withConnection<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection(url);
  try {
    return await use(connection);
  } finally {
    await connection.end();
  }
}
