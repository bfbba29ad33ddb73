import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { auditMigrations } from "./audit-tables.ts";
import { entityMigrations } from "./entity-tables.ts";
import { permitMigrations } from "./permit-tables.ts";
import { ruleMigrations } from "./rule-tables.ts";
import { secretMigrations } from "./secret-tables.ts";
import { setupMigrations } from "./setup-tables.ts";
import { walletMigrations } from "./wallet-tables.ts";

/**
 * The migrations of the service's tables, one DDL statement each, which run in the order of their names. The first ones are
 * numbered by subject: a hundred each. A released migration never changes: later changes begin at 500.
 */
export function migrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  return {
    ...entityMigrations(dialect),
    ...setupMigrations(dialect),
    ...walletMigrations(dialect),
    ...ruleMigrations(dialect),
    ...permitMigrations(dialect),
    ...auditMigrations(dialect),
    ...secretMigrations(dialect),
  };
}
