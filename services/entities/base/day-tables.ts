import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64 } from "./columns.ts";

/** The number of events of a kind in a sale on one day. It has nothing of a person. */
export interface SaleDayTable {
  sale: Uint8Array;
  /** The beginning of the day, UTC: milliseconds since 1970. */
  day_ms: Int64;
  /** Kind of event: `refused:` and a name of `FAILURE_REASONS`. */
  name: string;
  counted: Int64;
}

export interface DayTables {
  sale_day: SaleDayTable;
}

const NAME_CHARACTERS = 40;

export function dayMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, ascii } = dialect.columnTypes;
  return {
    "527_sale_day": createTable(dialect, "sale_day", {
      columns: { sale: binary(16), day_ms: "bigint", name: ascii(NAME_CHARACTERS), counted: "bigint" },
      key: ["sale", "day_ms", "name"],
    }),
    "528_sale_day_age": createIndex(dialect, "sale_day", "age", ["day_ms"]),
  };
}
