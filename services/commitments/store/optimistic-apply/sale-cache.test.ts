import { expect, it } from "vitest";
import { openSqlite } from "../../../shared/db/sqlite/open-sqlite.ts";
import { sqliteDialect } from "../../../shared/db/sqlite/sqlite-dialect.ts";
import { nodeKey } from "../../domain/figures/tick-tree.ts";
import { auctionDefinition, openState, saleOf } from "../../testing/samples.ts";
import { LoadedNodes } from "../sql/loaded-nodes.ts";
import type { CommitmentsSchema } from "../sql/schema.ts";
import { keepMemory, MAX_NODES_OF_SALE, type SaleMemory, takeMemory } from "./sale-cache.ts";

const nodes = LoadedNodes.whole(
  Array.from({ length: MAX_NODES_OF_SALE }, (_, tick) => ({
    standing: 1n,
    node: Buffer.from(nodeKey(8, BigInt(tick)), "hex"),
    amount: "1",
    commitments: 1n,
  })),
);

function memoryOf(uuid: string): SaleMemory {
  const sale = { ...saleOf(auctionDefinition), uuid };
  const rest = { writeToken: "a1", changesInARow: 1, changedAtMillis: 0n, nodes, hasTooManyNodes: false };
  return { sale, state: openState, ...rest };
}

it("forgets the sales that weren't changed for longest, so that its size is bounded", async () => {
  const database = openSqlite<CommitmentsSchema>(":memory:");
  expect(database.dialect).toBe(sqliteDialect);
  for (let index = 0; index < 20; index++) keepMemory(database, memoryOf(`sale ${index}`));
  keepMemory(database, memoryOf("sale 4"));
  const kept = Array.from({ length: 20 }, (_, index) => takeMemory(database, `sale ${index}`) !== undefined);
  expect(kept.map((isKept, index) => (isKept ? index : -1)).filter((index) => index >= 0)).toEqual([
    4,
    ...Array.from({ length: 15 }, (_, index) => 5 + index),
  ]);
  expect(takeMemory(database, "sale 4")).toBeUndefined();
  await database.close();
});
