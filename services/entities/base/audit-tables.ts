import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64, SmallInt } from "./columns.ts";

/** A decision about an entity that somebody may want to look up later. */
export interface EntityAuditTable {
  /** Sorts by time. */
  event_id: Uint8Array;
  at_ms: Int64;
  event: "review.approved" | "review.refused" | "review.asked";
  entity: Uint8Array;
  /** The account that has decided; null: an operator. */
  account: Uint8Array | null;
  /** JSON. Nothing in it is personal. */
  details: string;
}

/** A text of a review. Deleted with its entity. */
export interface ReviewEntryTable {
  /** Sorts by time. */
  entry: Uint8Array;
  entity: Uint8Array;
  kind: "note" | "question" | "answer";
  /** The account of its author; null: an operator. */
  account: Uint8Array | null;
  content: string;
  at_ms: Int64;
}

/** The one row about mails to reviewers. */
export interface ReviewQueueTable {
  queue: SmallInt;
  /** When the reviewers were last mailed how many entities wait. */
  mailed_at_ms: Int64;
}

export interface AuditTables {
  review_queue: ReviewQueueTable;
  entity_audit: EntityAuditTable;
  review_entry: ReviewEntryTable;
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
    "514_review_entry": createTable(dialect, "review_entry", {
      columns: { entry: binary(16), entity: binary(16), kind: ascii(8), content: text, at_ms: "bigint" },
      nullable: { account: binary(16) },
      key: ["entry"],
    }),
    "515_review_entry_entity": createIndex(dialect, "review_entry", "entity", ["entity", "at_ms"]),
    "516_review_queue": createTable(dialect, "review_queue", {
      columns: { queue: "integer", mailed_at_ms: "bigint" },
      key: ["queue"],
    }),
  };
}
