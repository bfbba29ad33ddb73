import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64 } from "./columns.ts";

/** A decision about an entity that somebody may want to look up later. */
export interface EntityAuditTable {
  /** Sorts by time. */
  event_id: Uint8Array;
  at_ms: Int64;
  event: "review.approved" | "review.refused";
  entity: Uint8Array;
  /** The account that has decided; null: an operator. */
  account: Uint8Array | null;
  /** JSON. Nothing in it is personal. */
  details: string;
}

export interface AuditTables {
  entity_audit: EntityAuditTable;
}

export function auditMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, ascii, text } = dialect.columnTypes;
  return {
    "502_entity_audit": createTable(dialect, "entity_audit", {
      columns: { event_id: binary(16), at_ms: "bigint", event: ascii(40), entity: binary(16), details: text },
      nullable: { account: binary(16) },
      key: ["event_id"],
    }),
    "503_entity_audit_entity": createIndex(dialect, "entity_audit", "entity", ["entity", "at_ms"]),
    "504_entity_audit_age": createIndex(dialect, "entity_audit", "age", ["at_ms"]),
  };
}
