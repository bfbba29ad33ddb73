import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64 } from "./columns.ts";

/** The rules of a sale. */
export interface SaleRulesTable {
  sale: Uint8Array;
  version: Int64;
  /** JSON. */
  rules: string;
  updated_at_ms: Int64;
}

export type MemberKeyKind = "email" | "wallet" | "entity";

/** A member of a group of a sale. */
export interface GroupMemberTable {
  sale: Uint8Array;
  /** Follows from `key_mac` and `member_group`, so that each key is in each group once. */
  member: Uint8Array;
  /** The group's UUID. */
  member_group: Uint8Array;
  key_kind: MemberKeyKind;
  /** HMAC of sale, kind and key. */
  key_mac: Uint8Array;
  /** The key: an e-mail address encrypted, a wallet or an entity ID as they are. */
  key_value: Uint8Array;
  /** Decimal text; null: the group's. */
  min_amount: string | null;
  max_amount: string | null;
}

/**
 * The entity to which the members with a key belong since it got a permit as one of them. It stays when members are removed, so that
 * another entity doesn't get what this one had once they are imported again.
 */
export interface MatchedMemberTable {
  sale: Uint8Array;
  key_mac: Uint8Array;
  entity: Uint8Array;
}

/** A wallet that gets no permits in a sale. */
export interface DeniedWalletTable {
  sale: Uint8Array;
  wallet: Uint8Array;
}

/** An entity that gets no permits in a sale. */
export interface FreezeTable {
  sale: Uint8Array;
  sale_specific_id: Uint8Array;
  note: string;
  since_ms: Int64;
}

/** The numbers of a sale's members and of wallets on its deny list, which are too many to count them each time. */
export interface ParticipantCountTable {
  sale: Uint8Array;
  members: Int64;
  denied: Int64;
}

export interface RuleTables {
  sale_rules: SaleRulesTable;
  group_member: GroupMemberTable;
  matched_member: MatchedMemberTable;
  denied_wallet: DeniedWalletTable;
  freeze: FreezeTable;
  participant_count: ParticipantCountTable;
}

/** Enough for 2^256-1. */
const AMOUNT_DIGITS = 78;

export function ruleMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, varbinary, ascii, text, blob } = dialect.columnTypes;
  return {
    "301_sale_rules": createTable(dialect, "sale_rules", {
      columns: { sale: binary(16), version: "bigint", rules: text, updated_at_ms: "bigint" },
      key: ["sale"],
    }),
    "302_group_member": createTable(dialect, "group_member", {
      columns: {
        sale: binary(16),
        member: binary(16),
        member_group: binary(16),
        key_kind: ascii(8),
        key_mac: binary(32),
        key_value: blob,
      },
      nullable: { min_amount: ascii(AMOUNT_DIGITS), max_amount: ascii(AMOUNT_DIGITS) },
      key: ["sale", "member"],
    }),
    "303_group_member_key": createIndex(dialect, "group_member", "key", ["sale", "key_mac"]),
    "304_group_member_group": createIndex(dialect, "group_member", "group", ["sale", "member_group", "member"]),
    "305_matched_member": createTable(dialect, "matched_member", {
      columns: { sale: binary(16), key_mac: binary(32), entity: binary(16) },
      key: ["sale", "key_mac"],
    }),
    "306_matched_member_entity": createIndex(dialect, "matched_member", "entity", ["sale", "entity"]),
    "307_denied_wallet": createTable(dialect, "denied_wallet", {
      columns: { sale: binary(16), wallet: varbinary(32) },
      key: ["sale", "wallet"],
    }),
    "308_freeze": createTable(dialect, "freeze", {
      columns: { sale: binary(16), sale_specific_id: binary(16), note: text, since_ms: "bigint" },
      key: ["sale", "sale_specific_id"],
    }),
    "309_participant_count": createTable(dialect, "participant_count", {
      columns: { sale: binary(16), members: "bigint", denied: "bigint" },
      key: ["sale"],
    }),
  };
}
