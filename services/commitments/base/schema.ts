import type { Database } from "../../../common/platform/db/database.ts";

/** A 64-bit integer column: SQLite returns `bigint`, mysql2 text. Written as `bigint`. */
export type Int64 = bigint | string;
/** A small integer column: SQLite returns `bigint`, mysql2 a number. */
export type SmallInt = bigint | number;

/** The settings of a sale, which seldom change. */
export interface SaleTable {
  sale: Uint8Array;
  tenancy: string;
  owner: Uint8Array | null;
  created_at_ms: Int64;
  definition: string;
  definition_version: Int64;
  /** 1 where the definition lists the sale, else 0; null in rows that weren't changed since the column was added, which list none. */
  listed: SmallInt | null;
}

/** The state of a sale, which changes with every apply. Its row is the lock: every change of the sale updates it first. */
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
  /** Null if the last change came without a position, or before the column was added. */
  changed_height: Int64 | null;
  /** Null as `changed_height`; empty for a slot. */
  changed_hash: Uint8Array | null;
  lease_holder: string | null;
  lease_epoch: Int64;
  lease_until_ms: Int64;
  change_set: Uint8Array | null;
  change_set_next_part: Int64;
  change_set_stage: string | null;
  /** Random, and new after each change. Null in rows that weren't changed since the column was added. */
  write_token: Uint8Array | null;
  /**
   * The write token of the last change by a process that writes rows by wallet. While it differs from `write_token`, one of an
   * older version has changed the sale since.
   */
  wallets_token: Uint8Array | null;
  /** Commitments up to this ID have their rows by wallet, if `wallets_token` is the present one. Null as that. */
  wallets_filled_to: Uint8Array | null;
  /** Sums and totals of the allocations, JSON; see `allocation-rows.ts`. Null while it is nothing. */
  allocations: string | null;
  /** Null if all commitments are at their own time in the history, as far as it is known; see `LateRows`. */
  late_from_s: Int64 | null;
  /** Null as `late_from_s`. */
  late_revision: Int64 | null;
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
  /** The counting class; see `common/sale/figures/counting-class.ts`. */
  standing: Int64;
  /** The sum of the normalised amounts, decimal. */
  amount: string;
  /** JSON: `[[wallet, token, amount], …]` as the contract returns it. */
  amounts: string;
  extra_data: Uint8Array;
  source_index: Int64 | null;
  digest: Uint8Array;
  /** The amounts that the contract accepts, encoded as `amounts`. Null where there are none, and in rows from before the column was added. */
  accepted: string | null;
  /** The bid's demand, decimal. Null where it is its amount, and in rows from before the column was added. */
  demand: string | null;
}

/** A wallet that a commitment names in its amounts, be they zero or not. */
export interface CommitmentWalletTable {
  sale: Uint8Array;
  /** In canonical form; see `domain/sale/address.ts`. */
  wallet: string;
  commitment_id: Uint8Array;
}

/** The raw amount of a token that a sale accepts of a wallet of an entity. */
export interface AllocationTable {
  sale: Uint8Array;
  /** Readers are shown the rows of one version, which the sale's state names. 0 in a sale with a source. */
  version: Int64;
  entity_id: Uint8Array;
  /** In canonical form, like `token`; see `domain/sale/address.ts`. */
  wallet: string;
  token: string;
  /** Decimal, more than 0. */
  accepted: string;
}

/** The last report of the reader of a sale's source. */
export interface SaleSourceStatusTable {
  sale: Uint8Array;
  head_height: Int64;
  fault: string;
  warning: string;
  checked_at_ms: Int64;
  sweep_rows_done: Int64;
  sweep_rows_total: Int64;
  sweep_running: SmallInt;
  /** The number of the last sweep request when the last sweep began. */
  sweep_answers: Int64;
  sweep_requests: Int64;
  /** The position of the last success; null before one was reported with a position. */
  as_of_height: Int64 | null;
  as_of_hash: Uint8Array | null;
  /** Null if it isn't known. */
  as_of_time_s: Int64 | null;
  /** Null as `as_of_height`. */
  success_at_ms: Int64 | null;
  /** Null as `as_of_height`. */
  read_interval_ms: Int64 | null;
  /** Null while the sale isn't settled. */
  settled_since_ms: Int64 | null;
  /** 0 on Solana; null before a reader has reported it. */
  chain_id: Int64 | null;
  /** The page of the contract at a block explorer, empty for none; null as `chain_id`. */
  contract_url: string | null;
}

/** Sums over the commitments of one counting class (column `standing`) below a node of the radix tree of ticks (`domain/figures/tick-tree.ts`). */
export interface TickNodeTable {
  sale: Uint8Array;
  standing: Int64;
  node: Uint8Array;
  amount: string;
  commitments: Int64;
  /** The sum of the demand, decimal. Null in a sale that counts none, and in rows from before the column was added. */
  demand: string | null;
}

/** The body that readers get while a change set is open. It is stored in parts, as the whole may be too large for a statement. */
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

/** An event of a revision, to be published on the bus. */
export interface OutboxTable {
  sale: Uint8Array;
  revision: Int64;
  generation: Uint8Array;
  created_at_ms: Int64;
  published_at_ms: Int64 | null;
  /** `SaleUpdated`, encoded. Null in rows from before the column was added. */
  event: Uint8Array | null;
  /** The `traceparent` of the change (W3C Trace Context), if it is traced. */
  trace_parent: string | null;
}

/** Leases of the outbox: one of all of it, one for each partition, and one for each process that takes part. */
export interface OutboxRelayTable {
  name: string;
  holder: string;
  until_ms: Int64;
  /** The bus's store that events were published to last; see `Bus.storeId`. */
  store_id: string | null;
}

/** The figures at the end of a time bucket. */
export interface HistoryTable {
  sale: Uint8Array;
  resolution_s: Int64;
  bucket_s: Int64;
  total: string;
  commitments: Int64;
  clearing_tick: Uint8Array | null;
}

/** A sale that a person has begun to set up. The row goes when the sale is created. */
export interface BegunSaleTable {
  owner: Uint8Array;
  /** The sale that is copied; zeros for none. */
  copy_of: Uint8Array;
  /** The UUID that the sale will have. */
  sale: Uint8Array;
  /** The entries of the form as the gateway encodes them. */
  entries: string;
  begun_at_ms: Int64;
}

/** The logo of a sale, and its hash, by which it is read. */
export interface SaleLogoTable {
  sale: Uint8Array;
  /** The SHA-256 of the image. */
  logo: Uint8Array;
  media_type: string;
  image: Uint8Array;
}

/** A URL that gets the events of a sale. */
export interface WebhookEndpointTable {
  endpoint: Uint8Array;
  sale: Uint8Array;
  url: string;
  /** Wrapped; see `store/webhooks/endpoint-secrets.ts`. */
  secret: Uint8Array;
  created_at_ms: Int64;
  /** Null for an enabled endpoint. */
  disabled_at_ms: Int64 | null;
  /** Null as `disabled_at_ms`. */
  disabled_why: string | null;
  /** Null if the last attempt succeeded, and before the first one. */
  failing_since_ms: Int64 | null;
  /** Wrapped. Null if the secret was never replaced. */
  previous_secret: Uint8Array | null;
  /** Null as `previous_secret`. */
  previous_until_ms: Int64 | null;
}

/** An event of a sale, with the body in which webhooks send it. */
export interface WebhookEventTable {
  event: Uint8Array;
  sale: Uint8Array;
  type: string;
  created_at_ms: Int64;
  body: string;
}

/** An event that was sent to an endpoint, or is to be sent. */
export interface WebhookDeliveryTable {
  endpoint: Uint8Array;
  event: Uint8Array;
  sale: Uint8Array;
  event_at_ms: Int64;
  /** `pending`, `delivered` or `given_up`. */
  status: string;
  /** Attempts since the event, or since it was sent again. */
  attempts: SmallInt;
  next_attempt_ms: Int64;
  give_up_at_ms: Int64;
  /** Null before the first attempt. */
  last_attempt_ms: Int64 | null;
  /** Null if the last attempt got no answer. */
  last_http_status: SmallInt | null;
  /** Null if the last attempt got an answer. */
  last_failure: string | null;
}

/** The lease of the process that delivers to webhooks. */
export interface WebhookLeaseTable {
  name: string;
  holder: string;
  until_ms: Int64;
}

/** The fault of a sale's feed that its webhooks were last sent. */
export interface WebhookFaultTable {
  sale: Uint8Array;
  /** Empty for none. */
  fault: string;
}

/** The number of events of a sale that were sent again in an hour. */
export interface WebhookReplayTable {
  sale: Uint8Array;
  /** The beginning of the hour. */
  since_ms: Int64;
  events: Int64;
}

export interface CommitmentsSchema {
  webhook_replay: WebhookReplayTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_event: WebhookEventTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_lease: WebhookLeaseTable;
  webhook_fault: WebhookFaultTable;
  sale_logo: SaleLogoTable;
  begun_sale: BegunSaleTable;
  sale: SaleTable;
  sale_state: SaleStateTable;
  sale_source_status: SaleSourceStatusTable;
  commitment: CommitmentTable;
  commitment_wallet: CommitmentWalletTable;
  allocation: AllocationTable;
  tick_node: TickNodeTable;
  frozen_body: FrozenBodyTable;
  apply_request: ApplyRequestTable;
  outbox: OutboxTable;
  outbox_relay: OutboxRelayTable;
  history: HistoryTable;
}

export type CommitmentsDatabase = Database<CommitmentsSchema>;
