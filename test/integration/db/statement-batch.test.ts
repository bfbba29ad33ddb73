import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { openCommitmentsDatabase } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";

describeEachDatabase("statements that are sent together", (variant) => {
  let database: CommitmentsDatabase;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    database = await openCommitmentsDatabase(created);
    await database.query.schema
      .createTable("note")
      .addColumn("id", "bigint", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .execute();
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  const compiled = (statement: ReturnType<typeof sql>): CompiledQuery => statement.compile(database.query);
  const insert = (id: bigint, text: string) => compiled(sql`insert into note (id, text) values (${id}, ${text})`);
  const select = (id: bigint) => compiled(sql`select text from note where id = ${id}`);
  const texts = async () => {
    const { rows } = await sql<{ text: string }>`select text from note order by id`.execute(database.query);
    return rows.map(({ text }) => text);
  };
  const clear = () => sql`delete from note`.execute(database.query);

  it("answer each separately, whatever their values contain", async () => {
    await clear();
    const text = "?; commit; drop table note; -- '?";
    const results = await database.write((transaction) =>
      executeBatch(transaction, database.dialect, [
        insert(1n, text),
        select(1n),
        compiled(sql`update note set text = ${"?"} where id > ${0n}`),
        select(1n),
      ]),
    );
    expect(results.map(({ rows }) => rows)).toEqual([[], [{ text }], [], [{ text: "?" }]]);
    expect(results[2]?.affectedRows).toBe(1n);
    expect(await texts()).toEqual(["?"]);
  });

  it("are one transaction with what comes before and after", async () => {
    await clear();
    const work = database.write(async (transaction) => {
      await executeBatch(transaction, database.dialect, [insert(1n, "a"), insert(2n, "b")]);
      await executeBatch(transaction, database.dialect, [insert(3n, "c")]);
      throw new Error("changed our mind");
    });
    await expect(work).rejects.toThrow("changed our mind");
    expect(await texts()).toEqual([]);
  });

  it("are committed with the last of them", async () => {
    await clear();
    const results = await database.write(async (transaction) => {
      await executeBatch(transaction, database.dialect, [insert(1n, "a"), select(1n)]);
      return executeAndCommit(transaction, database.dialect, [insert(2n, "b"), select(2n)]);
    });
    expect(results.map(({ rows }) => rows)).toEqual([[], [{ text: "b" }]]);
    expect(await texts()).toEqual(["a", "b"]);
    const [one] = await database.write((transaction) => executeAndCommit(transaction, database.dialect, [select(1n)]));
    expect(one?.rows).toEqual([{ text: "a" }]);
    await database.write((transaction) => executeAndCommit(transaction, database.dialect, []));
  });

  it("leave nothing behind if one of them fails, at whichever place", async () => {
    for (const end of [executeBatch, executeAndCommit]) {
      for (const failing of [0, 1, 2]) {
        await clear();
        await database.write((transaction) => executeBatch(transaction, database.dialect, [insert(9n, "there")]));
        const ids = [1n, 2n, 3n].map((id, index) => (index === failing ? 9n : id));
        const work = database.write(async (transaction) => {
          await executeBatch(transaction, database.dialect, [insert(8n, "before"), select(8n)]);
          await end(
            transaction,
            database.dialect,
            ids.map((id) => insert(id, "new")),
          );
        });
        await expect(work).rejects.toSatisfy((error) => database.dialect.isDuplicateKey(error));
        expect(await texts()).toEqual(["there"]);
      }
    }
  });

  it("leave connections as they were: what comes later on one is a transaction of its own", async () => {
    await clear();
    for (let id = 1n; id <= 20n; id++) {
      await database.write((transaction) => executeAndCommit(transaction, database.dialect, [insert(id, "kept")]));
      const work = database.write(async (transaction) => {
        await executeBatch(transaction, database.dialect, [insert(id + 100n, "lost")]);
        throw new Error("no");
      });
      await expect(work).rejects.toThrow("no");
      await database.write(async () => {});
      await expect(database.write(() => Promise.reject(new Error("at once")))).rejects.toThrow("at once");
      const seen = await database.snapshot((transaction) => executeBatch(transaction, database.dialect, [select(id)]));
      expect(seen[0]?.rows).toEqual([{ text: "kept" }]);
    }
    expect(await texts()).toEqual(Array.from({ length: 20 }, () => "kept"));
  });
});
