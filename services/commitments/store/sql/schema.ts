import type { Database } from "../../../shared/db/database.ts";

/** A 64-bit integer column: SQLite answers `bigint`, mysql2 text; written as `bigint`. */
export type Int64 = bigint | string;
/** A small integer column: SQLite answers `bigint`, mysql2 a number. */
export type SmallInt = bigint | number;

/** What a founder decided; changes seldom. */
export interface SaleTable {
  sale: Uint8Array;
  tenancy: string;
  owner: Uint8Array | null;
  created_at_ms: Int64;
  definition: string;
  definition_version: Int64;
}

/** What moves with every apply. Its row is the lock of the sale: every change of the sale updates it first. */
export interface SaleStateTable {
  sale: Uint8Array;
  generation: Uint8Array;
  revision: Int64;
  status: string;
  stage: string | null;
  settle_count: Int64;
  has_snapshot: SmallInt;
  clearing_tick: Uint8Array | null;
  source_height: Int64 | null;
  source_hash: Uint8Array | null;
  lease_holder: string | null;
  lease_epoch: Int64;
  lease_until_ms: Int64;
  change_set: Uint8Array | null;
  change_set_next_part: Int64;
  change_set_stage: string | null;
  /** Random; another one after each change. Null in rows that weren't changed since there were tokens. */
  write_token: Uint8Array | null;
}

export interface CommitmentTable {
  sale: Uint8Array;
  commitment_id: Uint8Array;
  entity_id: Uint8Array;
  /** Negative seconds since 1970, so that an ascending index lists the latest first. */
  created_neg: Int64;
  price_tick: Uint8Array;
  lockup: SmallInt;
  refunded: SmallInt;
  /** See `domain/figures/counting-class.ts`. */
  standing: Int64;
  /** The sum of the normalised amounts, decimal. */
  amount: string;
  /** JSON: `[[wallet, token, amount], …]` as the contract answers it. */
  amounts: string;
  extra_data: Uint8Array;
  source_index: Int64 | null;
  digest: Uint8Array;
}

/** What the reader of a sale's source last found. */
export interface SaleSourceStatusTable {
  sale: Uint8Array;
  head_height: Int64;
  fault: string;
  warning: string;
  checked_at_ms: Int64;
  sweep_rows_done: Int64;
  sweep_rows_total: Int64;
  sweep_running: SmallInt;
  /** Requests that had been made when the last sweep began. */
  sweep_answers: Int64;
  sweep_requests: Int64;
}

/** Sums over the commitments of one standing below a node of the radix tree of ticks (`domain/figures/tick-tree.ts`). */
export interface TickNodeTable {
  sale: Uint8Array;
  standing: Int64;
  node: Uint8Array;
  amount: string;
  commitments: Int64;
}

/** What readers get while a change set is open, in pieces: as a whole it may be larger than a statement can. */
export interface FrozenBodyTable {
  sale: Uint8Array;
  piece: Int64;
  body: string;
}

export interface ApplyRequestTable {
  sale: Uint8Array;
  request_id: Uint8Array;
  payload_hash: Uint8Array;
  revision: Int64;
  created_at_ms: Int64;
}

/** A revision that the bus is to be told of. */
export interface OutboxTable {
  sale: Uint8Array;
  revision: Int64;
  generation: Uint8Array;
  created_at_ms: Int64;
  published_at_ms: Int64 | null;
  /** `SaleUpdated`, encoded. Null in rows from before there was a relay. */
  event: Uint8Array | null;
  /** The `traceparent` of the change (W3C Trace Context), where that is traced. */
  trace_parent: string | null;
}

/** Which process publishes what stands in the outbox: one row. */
export interface OutboxRelayTable {
  name: string;
  holder: string;
  until_ms: Int64;
  /** The store of the bus that was published to; see `Bus.storeId`. */
  store_id: string | null;
}

/** The figures as they stood at the end of a time bucket. */
export interface HistoryTable {
  sale: Uint8Array;
  resolution_s: Int64;
  bucket_s: Int64;
  total: string;
  commitments: Int64;
  clearing_tick: Uint8Array | null;
}

export interface CommitmentsSchema {
  sale: SaleTable;
  sale_state: SaleStateTable;
  sale_source_status: SaleSourceStatusTable;
  commitment: CommitmentTable;
  tick_node: TickNodeTable;
  frozen_body: FrozenBodyTable;
  apply_request: ApplyRequestTable;
  outbox: OutboxTable;
  outbox_relay: OutboxRelayTable;
  history: HistoryTable;
}

export type CommitmentsDatabase = Database<CommitmentsSchema>;
