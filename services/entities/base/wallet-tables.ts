import type { Migration } from "kysely/migration";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { addColumn, createIndex, createTable } from "../../../common/platform/db/sql/table-migrations.ts";
import type { Int64 } from "./columns.ts";

/** A wallet that a signature has linked to an entity. */
export interface WalletLinkTable {
  entity: Uint8Array;
  kind: ChainFamily;
  /** The bytes of its address: 20 or 32. */
  wallet: Uint8Array;
  linked_at_ms: Int64;
}

/**
 * Where the link of a wallet counts, if a smart account may have signed. A link without one is of a version that didn't note how it was
 * proved: it counts in no sale then. A proof without a link, or that is older than it, is left of an earlier link, and counts nowhere.
 */
export interface WalletProofTable {
  entity: Uint8Array;
  kind: ChainFamily;
  wallet: Uint8Array;
  /** The EIP-155 ID of the chain whose smart account has signed; 0 for a key's signature, which counts on all chains. */
  chain_id: Int64;
  proved_at_ms: Int64;
}

/** A text that was given out to be signed. */
export interface WalletChallengeTable {
  /** SHA-256 of the handle. */
  challenge: Uint8Array;
  entity: Uint8Array;
  account: Uint8Array;
  /** The session for which it was made. */
  session: Uint8Array;
  kind: ChainFamily;
  wallet: Uint8Array;
  /** The EIP-155 chain ID; 0 where chains have none. */
  chain_id: Int64;
  /** The text to sign. */
  content: string;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  /** When a signature was sent for it, which is checked once; null before. */
  used_at_ms: Int64 | null;
}

/** The one entity to which a wallet belongs in a sale. */
export interface SaleWalletTable {
  sale: Uint8Array;
  wallet: Uint8Array;
  kind: ChainFamily;
  entity: Uint8Array;
  /** When a signature has proved it; null for a binding that only a permit made. */
  proved_at_ms: Int64 | null;
  bound_at_ms: Int64;
  /** The end of the last permit for it; after that an unproved binding without a bid is nobody's. */
  permit_expires_at_ms: Int64;
  /**
   * The EIP-155 ID of the sale's chain; 0 where chains have none, and while it isn't known. Null in a row of a version that noted neither
   * how a wallet was proved nor asked the contract before it gave one to another entity; `NOT_COMPARED` in one that a signature that
   * counts everywhere has proved since.
   */
  chain_id: Int64 | null;
}

export interface WalletTables {
  wallet_link: WalletLinkTable;
  wallet_proof: WalletProofTable;
  wallet_challenge: WalletChallengeTable;
  sale_wallet: SaleWalletTable;
}

export function walletMigrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, varbinary, ascii, text } = dialect.columnTypes;
  return {
    "201_wallet_link": createTable(dialect, "wallet_link", {
      columns: { entity: binary(16), kind: ascii(4), wallet: varbinary(32), linked_at_ms: "bigint" },
      key: ["entity", "kind", "wallet"],
    }),
    "202_wallet_link_wallet": createIndex(dialect, "wallet_link", "wallet", ["wallet"]),
    "203_wallet_challenge": createTable(dialect, "wallet_challenge", {
      columns: {
        challenge: binary(32),
        entity: binary(16),
        account: binary(16),
        session: binary(16),
        kind: ascii(4),
        wallet: varbinary(32),
        chain_id: "bigint",
        content: text,
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { used_at_ms: "bigint" },
      key: ["challenge"],
    }),
    "204_wallet_challenge_entity": createIndex(dialect, "wallet_challenge", "entity", ["entity"]),
    "205_wallet_challenge_account": createIndex(dialect, "wallet_challenge", "account", ["account", "created_at_ms"]),
    "206_wallet_challenge_expiry": createIndex(dialect, "wallet_challenge", "expiry", ["expires_at_ms"]),
    "207_sale_wallet": createTable(dialect, "sale_wallet", {
      columns: {
        sale: binary(16),
        wallet: varbinary(32),
        kind: ascii(4),
        entity: binary(16),
        bound_at_ms: "bigint",
        permit_expires_at_ms: "bigint",
      },
      nullable: { proved_at_ms: "bigint" },
      key: ["sale", "wallet"],
    }),
    "208_sale_wallet_entity": createIndex(dialect, "sale_wallet", "entity", ["entity", "sale"]),
    "509_wallet_proof": createTable(dialect, "wallet_proof", {
      columns: {
        entity: binary(16),
        kind: ascii(4),
        wallet: varbinary(32),
        chain_id: "bigint",
        proved_at_ms: "bigint",
      },
      key: ["entity", "kind", "wallet", "chain_id"],
    }),
    "510_wallet_proof_wallet": createIndex(dialect, "wallet_proof", "wallet", ["wallet"]),
    "511_sale_wallet_chain": addColumn("sale_wallet", "chain_id", "bigint"),
    "512_sale_wallet_wallet": createIndex(dialect, "sale_wallet", "wallet", ["wallet"]),
  };
}
