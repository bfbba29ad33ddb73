import { sql } from "kysely";
import { expect } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";

const TABLES = [
  "sale",
  "sale_state",
  "commitment",
  "commitment_wallet",
  "allocation",
  "tick_node",
  "frozen_body",
  "apply_request",
  "outbox",
  "history",
  "sale_source_status",
] as const;

/** All that is stored of a sale: the rows of every table, by table; but for what the relay marks in its own time, and write tokens. */
export async function saleTables(
  database: CommitmentsDatabase,
  saleUuid: string,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables: Record<string, readonly unknown[]> = {};
  for (const table of TABLES) {
    const query = sql<Record<string, unknown>>`select * from ${sql.table(table)} where sale = ${bytesOfHex(saleUuid)}`;
    const { rows } = await query.execute(database.query);
    tables[table] = rows.map(({ published_at_ms: _, write_token: _token, wallets_token: _same, ...row }) => row);
  }
  return tables;
}

/** Runs something that must leave a sale's rows in every table as they are. */
export async function expectUnchanged<Result>(
  database: CommitmentsDatabase,
  saleUuid: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await saleTables(database, saleUuid);
  const result = await work();
  expect(await saleTables(database, saleUuid)).toEqual(before);
  return result;
}
