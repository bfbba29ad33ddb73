import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../common/platform/db/database.ts";
import { openMysql } from "../../../common/platform/db/mysql/open-mysql.ts";
import { startMariaDb } from "../../support/databases/mariadb.ts";
import { mysqlOf } from "../../support/databases/mysql-of.ts";
import { SmallDisk } from "../../support/databases/small-disk.ts";
import { findProgram } from "../../support/processes/program.ts";

interface Schema {
  entry: { content: Uint8Array };
}

const DISK_MEBIBYTES = 320;
/** Small enough to stay in its page: MariaDB 10.11 itself ends where it has no room for a page apart. */
const CONTENT = Buffer.alloc(4_000, 1);

const missing = findProgram("mariadbd") === undefined ? ["mariadbd"] : [];
if (!SmallDisk.isPossible()) missing.push("namespaces");

describe.skipIf(missing.length > 0)(`a MariaDB whose disk is full (${missing.join(", ") || "all is there"})`, () => {
  const stack = new AsyncDisposableStack();
  let disk: SmallDisk;
  let database: Database<Schema>;

  beforeAll(async () => {
    disk = stack.adopt(await SmallDisk.create(DISK_MEBIBYTES), (small) => small.remove());
    const mariaDb = stack.adopt(await startMariaDb({ disk }), (server) => server.stop());
    const url = await mariaDb.createDatabase("full_disk");
    database = stack.adopt(openMysql<Schema>(mysqlOf(url)), (opened) => opened.close());
    await sql`create table entry (content varbinary(4000)) engine = InnoDB`.execute(database.query);
  });
  afterAll(() => stack.disposeAsync());

  const write = () =>
    database.write((transaction) => transaction.insertInto("entry").values({ content: CONTENT }).execute());
  const entries = () =>
    database.read((query) => query.selectFrom("entry").select(sql<string>`count(*)`.as("rows")).execute());

  it("refuses what is written as unavailable, changes nothing, and goes on once there is room", async () => {
    await write();
    await disk.fill();
    let written = 1;
    const fill = async () => {
      for (;;) {
        await write();
        written += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("disk is full"),
    });
    expect(await entries()).toEqual([{ rows: String(written) }]);
    await disk.free();
    await write();
    expect(await entries()).toEqual([{ rows: String(written + 1) }]);
  });
});
