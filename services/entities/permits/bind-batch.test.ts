import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { sqliteDialect } from "../../../common/platform/db/sqlite/sqlite-dialect.ts";
import { type BatchedBinding, bindStatements } from "./bind-batch.ts";

function binding(entityUuid: string, first: number): BatchedBinding {
  const wallet = { kind: "evm", bytes: new Uint8Array(20).fill(first) } as const;
  const facts = { entityUuid, wallet, isLinked: false, isLinkedElsewhere: false, otherWallets: [] };
  return { facts, saleUuid: randomUUID(), permitExpiresAtMs: 1n };
}

describe("bindStatements", () => {
  it("locks the entities by one write, which conflicts with one at another server of a cluster", () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const texts = bindStatements(mysqlDialect, [binding(one, 1), binding(other, 2)], 0n).map(({ sql }) => sql);
    const hex = (uuid: string) => `x'${uuid.replaceAll("-", "")}'`;
    expect(texts[0]?.toLowerCase()).toBe(
      `update entity set locks = coalesce(locks, 0) + 1 where entity in (${hex(one)},${hex(other)})`,
    );
    expect(texts).toHaveLength(2);
  });

  it("writes no locks where there is one server, and nothing for nobody", () => {
    expect(bindStatements(sqliteDialect, [binding(randomUUID(), 1)], 0n)).toHaveLength(1);
    expect(bindStatements(mysqlDialect, [], 0n)).toEqual([]);
  });
});
