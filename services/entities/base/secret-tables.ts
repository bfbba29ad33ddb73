import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { createTable } from "../../../common/platform/db/sql/table-migrations.ts";

/** A key of HMACs, which stays the same when `KEY_ENCRYPTION_KEY` changes. */
export interface StoredSecretTable {
  name: "index" | "provider_reference";
  /** Wrapped by `KEY_ENCRYPTION_KEY`, and bound to its name. */
  secret: Uint8Array;
}

export interface SecretTables {
  stored_secret: StoredSecretTable;
}

export function secretMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { ascii, blob } = dialect.columnTypes;
  return {
    "507_stored_secret": createTable(dialect, "stored_secret", {
      columns: { name: ascii(32), secret: blob },
      key: ["name"],
    }),
  };
}
