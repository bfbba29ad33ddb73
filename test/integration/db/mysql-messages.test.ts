import { type CompiledQuery, sql, type Transaction } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Database } from "../../../common/platform/db/database.ts";
import { openMysql } from "../../../common/platform/db/mysql/open-mysql.ts";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { databases } from "../../support/databases/databases.ts";
import { MysqlMessageLog } from "../../support/databases/mysql-message-log.ts";
import { mysqlOf } from "../../support/databases/mysql-of.ts";

/** Time-out for a statement or a connection that takes longer on purpose. On a busy machine the others need some of it. */
const TIMEOUT_MS = 3_000;

interface Schema {
  note: { id: string };
}

const mariaDb = databases().find(({ name }) => name === "mariadb");

describe.skipIf(inject("mariaDb").unavailable !== undefined)("messages to MariaDB", () => {
  const stack = new AsyncDisposableStack();
  let url = "";
  let log: MysqlMessageLog;
  let database: Database<Schema>;

  beforeAll(async () => {
    const created = await mariaDb?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    url = created.url;
    log = stack.use(await MysqlMessageLog.start(url));
    const options = { ...mysqlOf(log.through(url)), poolSize: 1 };
    database = stack.adopt(openMysql<Schema>(options), (opened) => opened.close());
    await sql`create table note (id bigint primary key)`.execute(database.query);
  });
  afterAll(() => stack.disposeAsync());
  beforeEach(async () => {
    await sql`delete from note`.execute(database.query);
    log.take();
  });

  const insert = (id: number): CompiledQuery => sql`insert into note values (${sql.lit(id)})`.compile(database.query);
  const batch = (transaction: Transaction<Schema>, ids: readonly number[]) =>
    executeBatch(transaction, database.dialect, ids.map(insert));
  const lastBatch = (transaction: Transaction<Schema>, ids: readonly number[]) =>
    executeAndCommit(transaction, database.dialect, ids.map(insert));
  const ids = async () => {
    const rows = await database.query.selectFrom("note").select("id").orderBy("id").execute();
    log.take();
    return rows.map(({ id }) => Number(id));
  };

  it("are two for a transaction of one statement: its beginning has none of its own", async () => {
    const result = await database.write((transaction) => transaction.executeQuery(insert(1)));
    expect(log.take()).toEqual(["begin; insert into note values (1)", "commit"]);
    expect(result).toMatchObject({ rows: [], numAffectedRows: 1n });
  });

  it("are one for each further statement, and one for a batch", async () => {
    await database.write(async (transaction) => {
      await transaction.executeQuery(insert(1));
      await transaction.executeQuery(insert(2));
      await batch(transaction, [3, 4]);
    });
    expect(log.take()).toEqual([
      "begin; insert into note values (1)",
      "insert into note values (2)",
      "insert into note values (3); insert into note values (4)",
      "commit",
    ]);
  });

  it.each([
    [[1], "begin; insert into note values (1); commit"],
    [[1, 2], "begin; insert into note values (1); insert into note values (2); commit"],
  ])("are one for a transaction whose statements %j commit it", async (inserted, message) => {
    const results = await database.write((transaction) => lastBatch(transaction, inserted));
    expect(log.take()).toEqual([message]);
    expect(results).toEqual(inserted.map(() => ({ rows: [], affectedRows: 1n })));
    await database.transact(inserted.map((id) => insert(id + 10)));
    expect(log.take()).toHaveLength(1);
    expect(await ids()).toEqual([...inserted, ...inserted.map((id) => id + 10)]);
  });

  it("are none for a transaction without statements, whether it succeeds or fails", async () => {
    await database.write(async () => {});
    await database.write((transaction) => lastBatch(transaction, []));
    await expect(database.write(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(log.take()).toEqual([]);
  });

  it("carry a snapshot's isolation level with its first statement", async () => {
    await database.snapshot((transaction) => transaction.selectFrom("note").select("id").execute());
    expect(log.take()).toEqual([
      "set transaction isolation level repeatable read; begin; select `id` from `note`",
      "commit",
    ]);
  });

  it("roll back where the first statement fails, as its `begin` was executed", async () => {
    await database.write((transaction) => transaction.executeQuery(insert(1)));
    log.take();
    for (const failing of [batch, lastBatch]) {
      const work = database.write((transaction) => failing(transaction, [1, 2]));
      await expect(work).rejects.toSatisfy((error) => database.dialect.isDuplicateKey(error));
      expect(log.take()).toEqual([expect.stringMatching(/^begin; insert/), "rollback"]);
    }
    await expect(database.transact([insert(2), insert(1)])).rejects.toThrow("Duplicate");
    expect(log.take()).toEqual([expect.stringMatching(/; commit$/), "rollback"]);
    expect(await ids()).toEqual([1]);
  });

  it("refuse a statement after those that have committed", async () => {
    const work = database.write(async (transaction) => {
      await lastBatch(transaction, [1]);
      await transaction.executeQuery(insert(2));
    });
    await expect(work).rejects.toThrow("nothing may follow");
    expect(await ids()).toEqual([1]);
  });

  it("begin a transaction again on another connection where one was lost", async () => {
    let attempts = 0;
    await database.write(async (transaction) => {
      attempts += 1;
      await transaction.executeQuery(insert(1));
      if (attempts === 1) log.breakConnections();
      await transaction.executeQuery(insert(2));
    });
    expect([attempts, await ids()]).toEqual([2, [1, 2]]);
  });

  it("begin a transaction again on another connection where a node has left its Galera cluster", async () => {
    const connections: string[] = [];
    await database.write(async (transaction) => {
      const { rows } = await sql<{ id: string }>`select connection_id() as id`.execute(transaction);
      connections.push(String(rows[0]?.id));
      if (connections.length === 1) await sql`signal sqlstate '08S01' set mysql_errno = 1047`.execute(transaction);
      await transaction.executeQuery(insert(1));
    });
    expect([new Set(connections).size, await ids()]).toEqual([2, [1]]);
  });

  it("begin a transaction again on a new connection where a larger pool leads to a server that only reads", async () => {
    const poolSize = 10;
    await using opened = new AsyncDisposableStack();
    const wide = opened.adopt(openMysql<Schema>({ ...mysqlOf(url), poolSize }), (each) => each.close());
    const connectionId = async (transaction: Transaction<Schema>) => {
      const { rows } = await sql<{ id: string }>`select connection_id() as id`.execute(transaction);
      return String(rows[0]?.id);
    };
    const onlyReads = sql`signal sqlstate 'HY000' set mysql_errno = 1290`;
    const all = Promise.withResolvers<void>();
    const old = new Set<string>();
    const fill = async (transaction: Transaction<Schema>) => {
      old.add(await connectionId(transaction));
      if (old.size === poolSize) all.resolve();
      await all.promise;
    };
    await Promise.all(Array.from({ length: poolSize }, () => wide.write(fill)));
    const taken: string[] = [];
    const write = async (transaction: Transaction<Schema>) => {
      const id = await connectionId(transaction);
      taken.push(id);
      if (old.has(id)) await onlyReads.execute(transaction);
      await transaction.executeQuery(insert(taken.length));
    };
    // One that is in use meanwhile fails later, and takes none of the new ones with it.
    const begun = Promise.withResolvers<void>();
    const isDone = Promise.withResolvers<void>();
    const late = wide.write(async (transaction) => {
      const id = await connectionId(transaction);
      begun.resolve();
      await isDone.promise;
      if (old.has(id)) await onlyReads.execute(transaction);
      return id;
    });
    await begun.promise;
    await wide.write(write);
    isDone.resolve();
    const lateId = await late;
    await wide.write(write);
    expect([taken.length, new Set(taken).size, taken[2] === lateId, await ids()]).toEqual([3, 2, true, [2, 3]]);
  });

  it("begin a transaction again on another connection where the primary was made a replica", async () => {
    // An account that may write, but not to a server that only reads.
    const { hostname, port, pathname } = new URL(url);
    const account = `'writer'@'${hostname}'`;
    await sql.raw(`create user ${account} identified by 'secret'`).execute(database.query);
    await sql.raw(`grant all on ${pathname.slice(1)}.* to ${account}`).execute(database.query);
    const own = `mysql://writer:secret@${hostname}:${port}${pathname}`;
    await using opened = new AsyncDisposableStack();
    const writer = opened.adopt(openMysql<Schema>({ ...mysqlOf(own), poolSize: 1 }), (each) => each.close());
    const setReadOnly = (value: 0 | 1) => sql.raw(`set global read_only = ${value}`).execute(database.query);
    opened.defer(async () => void (await setReadOnly(0)));
    const connections: string[] = [];
    const insertOnce = (isBack: (attempt: number) => boolean) =>
      writer.write(async (transaction) => {
        const { rows } = await sql<{ id: string }>`select connection_id() as id`.execute(transaction);
        connections.push(String(rows[0]?.id));
        await setReadOnly(isBack(connections.length) ? 0 : 1);
        await transaction.executeQuery(insert(1));
      });
    await insertOnce((attempt) => attempt === 2);
    expect([new Set(connections).size, await ids()]).toEqual([2, [1]]);
    await expect(insertOnce(() => false)).rejects.toMatchObject({
      code: "unavailable",
      message: "the database only reads; retry once it takes changes",
    });
    expect(await ids()).toEqual([1]);
  });

  it("are given up after their time, with their connection", async () => {
    const impatient = openMysql<Schema>({ ...mysqlOf(url), poolSize: 1, statementTimeoutMs: TIMEOUT_MS });
    await expect(sql`select sleep(60)`.execute(impatient.query)).rejects.toThrow("timeout");
    expect((await sql`select 1 as one`.execute(impatient.query)).rows).toEqual([{ one: 1 }]);
    expect(impatient.pool).toMatchObject({ busy: 0, waiting: 0 });
    await impatient.close();
  });

  it("begin a transaction again on another connection where one took too long", async () => {
    const impatient = openMysql<Schema>({ ...mysqlOf(url), poolSize: 1, statementTimeoutMs: TIMEOUT_MS });
    let attempts = 0;
    await impatient.write(async (transaction) => {
      attempts += 1;
      // Before any lock: the database notices only later that nobody waits for it.
      if (attempts === 1) await sql`select sleep(60)`.execute(transaction);
      await transaction.executeQuery(insert(1));
    });
    expect([attempts, await ids()]).toEqual([2, [1]]);
    await impatient.close();
  });

  it("wait for a connection for a while", async () => {
    const impatient = openMysql<Schema>({ ...mysqlOf(url), poolSize: 1, acquireTimeoutMs: TIMEOUT_MS });
    await impatient.query.transaction().execute(async (transaction) => {
      await transaction.selectFrom("note").select("id").execute();
      const refused = impatient.query.selectFrom("note").select("id").execute();
      await expect.poll(() => impatient.pool).toEqual({ size: 1, busy: 1, waiting: 1 });
      await expect(refused).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("has become free"),
      });
    });
    expect(await impatient.query.selectFrom("note").select("id").execute()).toEqual([]);
    expect(impatient.pool).toEqual({ size: 1, busy: 0, waiting: 0 });
    await impatient.close();
  });

  it("name the caller in the stack of an error", async () => {
    const failing = async function whoseStatementIsWrong() {
      await database.query.executeQuery(sql`selec 1`.compile(database.query));
    };
    await expect(failing()).rejects.toMatchObject({ stack: expect.stringContaining("whoseStatementIsWrong") });
  });
});
