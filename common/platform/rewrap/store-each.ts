import type { Transaction } from "kysely";
import type { Database } from "../db/database.ts";
import type { RewrappedRow, WrappedKind } from "./wrapped-kind.ts";

/** The update of one row, which finds nothing where the row has gone or its secret has changed. */
export type RowUpdate<Schema> = (
  transaction: Transaction<Schema>,
  row: RewrappedRow,
) => { execute(): Promise<unknown> };

/** Returns a `store` that updates its rows one after another, in one transaction. */
export function storeEach<Schema>(database: Database<Schema>, updateOf: RowUpdate<Schema>): WrappedKind["store"] {
  return (rows) =>
    database.write(async (transaction) => {
      for (const row of rows) await updateOf(transaction, row).execute();
    });
}
