import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { sqliteDialect } from "../../../common/platform/db/sqlite/sqlite-dialect.ts";
import { bindStatements, type NewBinding } from "./bindings-store.ts";

function binding(entityUuid: string, first: number): NewBinding {
  const wallet = { kind: "evm", bytes: new Uint8Array(20).fill(first) } as const;
  const ids = { saleUuid: randomUUID(), entityUuid, wallet, chainId: 1n, holder: undefined, isContracts: false };
  return { ...ids, isProved: false, releases: [], boundAtMs: 0n, permitExpiresAtMs: 1n };
}

describe("bindStatements", () => {
  it("locks the entities by one write, which conflicts with one at another server of a cluster", () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const texts = bindStatements(mysqlDialect, [binding(one, 1), binding(other, 2)]).map(({ sql }) => sql);
    const hex = (uuid: string) => `x'${uuid.replaceAll("-", "")}'`;
    expect(texts[0]?.toLowerCase()).toBe(
      `update entity set locks = coalesce(locks, 0) + 1 where entity in (${hex(one)},${hex(other)})`,
    );
    expect(texts).toHaveLength(2);
  });

  it("writes no locks where there is one server, and nothing for nobody", () => {
    expect(bindStatements(sqliteDialect, [binding(randomUUID(), 1)])).toHaveLength(1);
    expect(bindStatements(mysqlDialect, [])).toEqual([]);
  });
});
