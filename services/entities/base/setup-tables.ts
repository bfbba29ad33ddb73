import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { addColumn, createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64, SmallInt } from "./columns.ts";

/** A reference of an identity provider. It stays after the deletion of its entity, so that it counts once. */
export interface ProviderReferenceTable {
  /** HMAC of provider and reference. */
  reference: Uint8Array;
  entity: Uint8Array;
}

/** A handle that names an entity to the provider: for its set-up, or for a proof that its person is present. */
export interface SetupHandleTable {
  /** SHA-256 of the handle. */
  handle: Uint8Array;
  entity: Uint8Array;
  /** The sale of a proof; null for a set-up. */
  sale: Uint8Array | null;
  created_at_ms: Int64;
  expires_at_ms: Int64;
}

/** A callback of the provider that was processed. */
export interface SetupCallbackTable {
  /** SHA-256 of its ID. */
  callback: Uint8Array;
  received_at_ms: Int64;
}

/** A proof that the person is present, for one sale. */
export interface LivenessTable {
  sale: Uint8Array;
  entity: Uint8Array;
  proved_at_ms: Int64;
}

/** A mail that auth has to send, until it took it. */
export interface NoticeTable {
  notice: Uint8Array;
  account: Uint8Array;
  /** JSON. */
  content: string;
  attempts: SmallInt;
  next_attempt_at_ms: Int64;
  created_at_ms: Int64;
  /** The sale that a mail is about for which a person has asked; null for all others. */
  sale: Uint8Array | null;
}

export interface SetupTables {
  provider_reference: ProviderReferenceTable;
  setup_handle: SetupHandleTable;
  setup_callback: SetupCallbackTable;
  liveness: LivenessTable;
  notice: NoticeTable;
}

export function setupMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, text } = dialect.columnTypes;
  return {
    "101_provider_reference": createTable(dialect, "provider_reference", {
      columns: { reference: binary(32), entity: binary(16) },
      key: ["reference"],
    }),
    "102_provider_reference_entity": createIndex(dialect, "provider_reference", "entity", ["entity"]),
    "103_setup_handle": createTable(dialect, "setup_handle", {
      columns: { handle: binary(32), entity: binary(16), created_at_ms: "bigint", expires_at_ms: "bigint" },
      nullable: { sale: binary(16) },
      key: ["handle"],
    }),
    "104_setup_handle_entity": createIndex(dialect, "setup_handle", "entity", ["entity", "created_at_ms"]),
    "105_setup_handle_expiry": createIndex(dialect, "setup_handle", "expiry", ["expires_at_ms"]),
    "106_setup_callback": createTable(dialect, "setup_callback", {
      columns: { callback: binary(32), received_at_ms: "bigint" },
      key: ["callback"],
    }),
    "107_setup_callback_age": createIndex(dialect, "setup_callback", "age", ["received_at_ms"]),
    "108_liveness": createTable(dialect, "liveness", {
      columns: { sale: binary(16), entity: binary(16), proved_at_ms: "bigint" },
      key: ["sale", "entity"],
    }),
    "109_liveness_entity": createIndex(dialect, "liveness", "entity", ["entity"]),
    "110_notice": createTable(dialect, "notice", {
      columns: {
        notice: binary(16),
        account: binary(16),
        content: text,
        attempts: "integer",
        next_attempt_at_ms: "bigint",
        created_at_ms: "bigint",
      },
      key: ["notice"],
    }),
    "111_notice_due": createIndex(dialect, "notice", "due", ["next_attempt_at_ms"]),
    "112_notice_account": createIndex(dialect, "notice", "account", ["account"]),
    "113_notice_age": createIndex(dialect, "notice", "age", ["created_at_ms"]),
    "525_notice_sale": addColumn("notice", "sale", binary(16)),
    "526_notice_sale_due": createIndex(dialect, "notice", "sale_due", ["sale", "next_attempt_at_ms"]),
  };
}
