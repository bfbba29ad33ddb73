import type { Migration } from "kysely/migration";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { type HourCountTable, hourCountTable } from "../../../common/platform/db/hour-counts.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { addColumn, createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64, SmallInt } from "./columns.ts";

/** A key that signs the permits of a sale. */
export interface PermitKeyTable {
  permit_key: Uint8Array;
  sale: Uint8Array;
  status: "next" | "active" | "retired";
  kind: ChainFamily;
  chain: string;
  /** The address of the key. */
  address: Uint8Array;
  /** 1 if a remote signer holds the private key. */
  remote: SmallInt;
  /** The private key, wrapped; null if a remote signer holds it, and once the key signs no more. */
  private_key: Uint8Array | null;
  created_at_ms: Int64;
  activated_at_ms: Int64 | null;
  retired_at_ms: Int64 | null;
}

/** The lock of a sale's permits (`base/lock-sale.ts`), and what stops them. */
export interface SalePermitsTable {
  sale: Uint8Array;
  /** The number of times that the lock was taken. */
  locks: Int64;
  /** When permits were stopped, until it is known what came of the change that stopped them; null while they may be issued. */
  stopped_at_ms: Int64 | null;
  /** When the erasure of the sale's rules, lists and keys began, after which none are stored; null while the sale is there. */
  erased_at_ms: Int64 | null;
}

/** A permit that was issued. Nothing in it is personal. */
export interface PermitTable {
  /** Sorts by time. */
  permit: Uint8Array;
  sale: Uint8Array;
  entity: Uint8Array;
  sale_specific_id: Uint8Array;
  kind: ChainFamily;
  wallet: Uint8Array;
  client: Uint8Array;
  permit_key: Uint8Array;
  member_group: Uint8Array;
  min_amount: string;
  max_amount: string;
  min_price: Int64;
  max_price: Int64;
  forced_lockup: SmallInt;
  issued_at_ms: Int64;
  expires_at_ms: Int64;
}

/** The number of permits that a key of a rate limit has taken in a window. */
export interface PermitRateTable {
  /** HMAC of the limit and what it counts. */
  counter: Uint8Array;
  window_start_ms: Int64;
  taken: Int64;
}

export interface PermitTables {
  permit_key: PermitKeyTable;
  sale_permits: SalePermitsTable;
  permit: PermitTable;
  permit_rate: PermitRateTable;
  /** Permits that were issued. */
  permit_hour: HourCountTable;
}

/** Enough for 2^256-1. */
const AMOUNT_DIGITS = 78;
const CHAIN_CHARACTERS = 63;

export function permitMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, varbinary, ascii, blob } = dialect.columnTypes;
  return {
    "401_permit_key": createTable(dialect, "permit_key", {
      columns: {
        permit_key: binary(16),
        sale: binary(16),
        status: ascii(8),
        kind: ascii(4),
        chain: ascii(CHAIN_CHARACTERS),
        address: varbinary(32),
        remote: "integer",
        created_at_ms: "bigint",
      },
      nullable: { private_key: blob, activated_at_ms: "bigint", retired_at_ms: "bigint" },
      key: ["permit_key"],
    }),
    "402_permit_key_sale": createIndex(dialect, "permit_key", "sale", ["sale", "created_at_ms"]),
    "403_sale_permits": createTable(dialect, "sale_permits", {
      columns: { sale: binary(16), locks: "bigint" },
      nullable: { stopped_at_ms: "bigint" },
      key: ["sale"],
    }),
    "404_permit": createTable(dialect, "permit", {
      columns: {
        permit: binary(16),
        sale: binary(16),
        entity: binary(16),
        sale_specific_id: binary(16),
        kind: ascii(4),
        wallet: varbinary(32),
        client: binary(16),
        permit_key: binary(16),
        member_group: binary(16),
        min_amount: ascii(AMOUNT_DIGITS),
        max_amount: ascii(AMOUNT_DIGITS),
        min_price: "bigint",
        max_price: "bigint",
        forced_lockup: "integer",
        issued_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      key: ["sale", "permit"],
    }),
    "405_permit_entity": createIndex(dialect, "permit", "entity", ["entity", "issued_at_ms"]),
    "406_permit_expiry": createIndex(dialect, "permit", "expiry", ["sale", "expires_at_ms"]),
    "407_permit_rate": createTable(dialect, "permit_rate", {
      columns: { counter: binary(32), window_start_ms: "bigint", taken: "bigint" },
      key: ["counter", "window_start_ms"],
    }),
    "408_permit_rate_age": createIndex(dialect, "permit_rate", "age", ["window_start_ms"]),
    "501_sale_permits_erased": addColumn("sale_permits", "erased_at_ms", "bigint"),
    "502_permit_hour": hourCountTable(dialect, "permit_hour"),
  };
}
