import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { addColumn, createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64, SmallInt } from "./columns.ts";

/** A person or an organization. Deleted with its account. */
export interface EntityTable {
  entity: Uint8Array;
  account: Uint8Array;
  type: "person" | "organization";
  label: string;
  /** ISO 3166-1 alpha-2; empty until it was declared. */
  country: string;
  setup_state: string;
  /** Why the set-up was refused or has failed, or beside an approval why no presence was proved; empty otherwise. */
  setup_reason: string;
  /** The question of a reviewer to which its person hasn't answered yet; null for none. */
  open_question: string | null;
  /** When the provider says that the state came about; older reports change nothing. */
  setup_at_ms: Int64;
  /** The state that came about then, once the user has begun again or the approval has ended; null while it is `setup_state`. */
  reported_state: string | null;
  /** HMAC of the vendor's check in which it came about; null without a vendor, and before any report. */
  reported_check: Uint8Array | null;
  /** The provider that approved it; null unless the set-up is complete. */
  provider: string | null;
  /** When the user submitted it for review; null unless it waits for one. */
  submitted_at_ms: Int64 | null;
  approval_expires_at_ms: Int64 | null;
  /** 1 once its person was mailed that the approval ends soon, or needn't be; else 0. */
  approval_warned: SmallInt;
  version: Int64;
  created_at_ms: Int64;
  /** The number of times that the row was locked (`base/lock-rows.ts`); null for none, and on SQLite. */
  locks: Int64 | null;
}

/** The one person entity of an account. */
export interface PersonEntityTable {
  account: Uint8Array;
  entity: Uint8Array;
}

/** The IDs of an entity in a sale. Kept after the entity's deletion. */
export interface SaleEntityTable {
  sale: Uint8Array;
  entity: Uint8Array;
  /** The ID for calls of the sale's applications. */
  entity_uuid: Uint8Array;
  /** The ID in the sale's contract. */
  sale_specific_id: Uint8Array;
  /** When the sale first saw the entity; null where an earlier version made the row. */
  created_at_ms: Int64 | null;
}

/** IDs that were imported for a person. The first entity that asks for IDs in the sale takes them; the row stays. */
export interface ImportedEntityIdTable {
  sale: Uint8Array;
  /** HMAC of the e-mail address. */
  email: Uint8Array;
  type: "person" | "organization";
  /** SHA-256 of the label that an organization must have; of nothing for a person. */
  label: Uint8Array;
  entity_uuid: Uint8Array;
  sale_specific_id: Uint8Array;
}

/** The lock of an account's entities, and whether the account is being deleted. */
export interface EntitiesAccountTable {
  account: Uint8Array;
  /** When auth began to delete the account; null while it may be used. No permit is issued to a closed account. */
  closed_at_ms: Int64 | null;
  /** When its entities were deleted after the account; null before. */
  erased_at_ms: Int64 | null;
  /** The number of times that the row was locked, as in `entity`. */
  locks: Int64 | null;
}

/** An entity that its person doesn't show to an application. */
export interface HiddenEntityTable {
  client: Uint8Array;
  entity: Uint8Array;
}

export interface EntityTables {
  entity: EntityTable;
  person_entity: PersonEntityTable;
  sale_entity: SaleEntityTable;
  imported_entity_id: ImportedEntityIdTable;
  entities_account: EntitiesAccountTable;
  hidden_entity: HiddenEntityTable;
}

export function entityMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, ascii, text } = dialect.columnTypes;
  return {
    "001_entity": createTable(dialect, "entity", {
      columns: {
        entity: binary(16),
        account: binary(16),
        type: ascii(16),
        label: text,
        country: ascii(2),
        setup_state: ascii(20),
        setup_reason: text,
        setup_at_ms: "bigint",
        approval_warned: "integer",
        version: "bigint",
        created_at_ms: "bigint",
      },
      nullable: { provider: ascii(16), submitted_at_ms: "bigint", approval_expires_at_ms: "bigint" },
      key: ["entity"],
    }),
    "002_entity_account": createIndex(dialect, "entity", "account", ["account", "created_at_ms"]),
    "003_entity_review": createIndex(dialect, "entity", "review", ["submitted_at_ms", "entity"]),
    "004_entity_approval": createIndex(dialect, "entity", "approval", ["approval_warned", "approval_expires_at_ms"]),
    "005_person_entity": createTable(dialect, "person_entity", {
      columns: { account: binary(16), entity: binary(16) },
      key: ["account"],
    }),
    "006_sale_entity": createTable(dialect, "sale_entity", {
      columns: { sale: binary(16), entity: binary(16), entity_uuid: binary(16), sale_specific_id: binary(16) },
      key: ["sale", "entity"],
    }),
    "007_sale_entity_uuid": createIndex(dialect, "sale_entity", "uuid", ["sale", "entity_uuid"], {
      unique: true,
    }),
    "008_sale_entity_specific": createIndex(dialect, "sale_entity", "specific", ["sale", "sale_specific_id"], {
      unique: true,
    }),
    "009_sale_entity_entity": createIndex(dialect, "sale_entity", "entity", ["entity"]),
    "010_imported_entity_id": createTable(dialect, "imported_entity_id", {
      columns: {
        sale: binary(16),
        email: binary(32),
        type: ascii(16),
        label: binary(32),
        entity_uuid: binary(16),
        sale_specific_id: binary(16),
      },
      key: ["sale", "email", "type", "label"],
    }),
    "011_imported_entity_id_specific": createIndex(
      dialect,
      "imported_entity_id",
      "specific",
      ["sale", "sale_specific_id"],
      { unique: true },
    ),
    "012_imported_entity_id_uuid": createIndex(dialect, "imported_entity_id", "uuid", ["sale", "entity_uuid"], {
      unique: true,
    }),
    "013_entities_account": createTable(dialect, "entities_account", {
      columns: { account: binary(16) },
      nullable: { closed_at_ms: "bigint", erased_at_ms: "bigint" },
      key: ["account"],
    }),
    "014_entities_account_closed": createIndex(dialect, "entities_account", "closed", ["erased_at_ms", "closed_at_ms"]),
    "015_hidden_entity": createTable(dialect, "hidden_entity", {
      columns: { client: binary(16), entity: binary(16) },
      key: ["client", "entity"],
    }),
    "016_hidden_entity_entity": createIndex(dialect, "hidden_entity", "entity", ["entity"]),
    "505_entity_locks": addColumn("entity", "locks", "bigint"),
    "506_entities_account_locks": addColumn("entities_account", "locks", "bigint"),
    "508_entity_reported_state": addColumn("entity", "reported_state", ascii(20)),
    "513_entity_reported_check": addColumn("entity", "reported_check", binary(32)),
    "517_entity_open_question": addColumn("entity", "open_question", text),
    "524_entity_open_question_moved": moveOpenQuestions(),
    "529_sale_entity_created": addColumn("sale_entity", "created_at_ms", "bigint"),
  };
}

/**
 * A migration of entities whose open question a version without `open_question` has stored as the reason of the set-up. As an update of
 * rows that have none yet, it may be repeated.
 */
function moveOpenQuestions(): Migration {
  return {
    async up(database: Kysely<unknown>) {
      // MySQL assigns from left to right: the reason is read before it is emptied.
      await sql`update entity set open_question = setup_reason, setup_reason = ''
        where setup_state = 'in_progress' and open_question is null and exists (
          select 1 from review_entry where review_entry.entity = entity.entity
          and review_entry.kind = 'question' and review_entry.content = entity.setup_reason)`.execute(database);
    },
  };
}
