import type { CompiledQuery, Transaction } from "kysely";
import { describe, expect, it } from "vitest";
import { executeInOrder } from "./execute-in-order.ts";

describe("executeInOrder", () => {
  const statement = (name: string) => ({ sql: name }) as CompiledQuery;

  it("builds the next statement while one is running, and sends it only after that has succeeded", async () => {
    const events: string[] = [];
    const transaction = {
      async executeQuery({ sql }: CompiledQuery) {
        events.push(`send ${sql}`);
        await Promise.resolve();
        events.push(`done ${sql}`);
      },
    } as unknown as Transaction<unknown>;
    function* statements() {
      for (const name of ["a", "b"]) {
        events.push(`make ${name}`);
        yield statement(name);
      }
    }
    await executeInOrder(transaction, statements());
    expect(events).toEqual(["make a", "send a", "make b", "done a", "send b", "done b"]);
  });

  it("sends nothing after a statement that failed, and leaves none running", async () => {
    const sent: string[] = [];
    const transaction = {
      async executeQuery({ sql }: CompiledQuery) {
        sent.push(sql);
        if (sql === "b") throw new Error("deadlock");
      },
    } as unknown as Transaction<unknown>;
    const work = executeInOrder(transaction, ["a", "b", "c", "d"].map(statement));
    await expect(work).rejects.toThrow("deadlock");
    expect(sent).toEqual(["a", "b"]);
  });
});
