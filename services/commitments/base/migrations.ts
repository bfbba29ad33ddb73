import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import {
  addColumn,
  createIndex,
  createTable,
  type TableDefinition,
  widenColumn,
} from "../../../common/platform/db/sql/table-migrations.ts";

/** The most digits of a normalised sum: 10^40 amounts of 2^256 × 10^36. */
const DECIMAL_DIGITS = 160;
/** The most digits of a raw amount. */
const UINT256_DIGITS = 78;
/** The most bytes of a number of ticks. */
const TICK_BYTES = 20;
/** `00-<32 hex digits>-<16 hex digits>-<2 hex digits>` */
const TRACE_PARENT_CHARACTERS = 55;

/**
 * The schema of the commitments service, one DDL statement a migration. A released migration never changes: every later
 * change of the schema is a new one.
 */
export function migrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, varbinary, ascii, text, blob } = dialect.columnTypes;
  const table = (name: string, definition: TableDefinition) => createTable(dialect, name, definition);
  const index = (name: string, purpose: string, columns: readonly string[]) =>
    createIndex(dialect, name, purpose, columns);
  return {
    "001_sale": table("sale", {
      columns: {
        sale: binary(16),
        tenancy: ascii(8),
        created_at_ms: "bigint",
        definition: text,
        definition_version: "bigint",
      },
      nullable: { owner: binary(16) },
      key: ["sale"],
    }),
    "002_sale_state": table("sale_state", {
      columns: {
        sale: binary(16),
        generation: binary(8),
        revision: "bigint",
        status: ascii(8),
        settle_count: "bigint",
        has_snapshot: "integer",
        lease_epoch: "bigint",
        lease_until_ms: "bigint",
        change_set_next_part: "bigint",
      },
      nullable: {
        stage: ascii(16),
        clearing_tick: binary(8),
        source_height: "bigint",
        source_hash: varbinary(32),
        lease_holder: ascii(128),
        change_set: binary(16),
        change_set_stage: ascii(16),
      },
      key: ["sale"],
    }),
    "003_commitment": table("commitment", {
      columns: {
        sale: binary(16),
        commitment_id: binary(32),
        entity_id: binary(16),
        created_neg: "bigint",
        price_tick: binary(8),
        lockup: "integer",
        refunded: "integer",
        standing: "bigint",
        amount: ascii(DECIMAL_DIGITS),
        amounts: text,
        extra_data: blob,
        digest: binary(16),
      },
      nullable: { source_index: "bigint" },
      key: ["sale", "commitment_id"],
    }),
    "004_commitment_latest": index("commitment", "latest", ["sale", "standing", "created_neg", "commitment_id"]),
    "005_commitment_source_index": index("commitment", "source_index", ["sale", "source_index"]),
    "006_tick_node": table("tick_node", {
      columns: {
        sale: binary(16),
        standing: "bigint",
        node: binary(9),
        amount: ascii(DECIMAL_DIGITS),
        commitments: "bigint",
      },
      key: ["sale", "standing", "node"],
    }),
    "007_frozen_body": table("frozen_body", {
      columns: { sale: binary(16), piece: "bigint", body: text },
      key: ["sale", "piece"],
    }),
    "008_apply_request": table("apply_request", {
      columns: {
        sale: binary(16),
        request_id: binary(16),
        payload_hash: binary(32),
        revision: "bigint",
        created_at_ms: "bigint",
      },
      key: ["sale", "request_id"],
    }),
    "009_apply_request_age": index("apply_request", "age", ["created_at_ms"]),
    "010_outbox": table("outbox", {
      columns: {
        sale: binary(16),
        revision: "bigint",
        generation: binary(8),
        created_at_ms: "bigint",
      },
      nullable: { published_at_ms: "bigint" },
      key: ["sale", "revision"],
    }),
    "011_outbox_unpublished": index("outbox", "unpublished", ["published_at_ms", "created_at_ms"]),
    "012_outbox_age": index("outbox", "age", ["created_at_ms"]),
    "013_history": table("history", {
      columns: {
        sale: binary(16),
        resolution_s: "bigint",
        bucket_s: "bigint",
        total: ascii(DECIMAL_DIGITS),
        commitments: "bigint",
      },
      nullable: { clearing_tick: binary(8) },
      key: ["sale", "resolution_s", "bucket_s"],
    }),
    "014_history_age": index("history", "age", ["resolution_s", "bucket_s"]),
    "015_sale_source_status": table("sale_source_status", {
      columns: {
        sale: binary(16),
        head_height: "bigint",
        fault: text,
        warning: text,
        checked_at_ms: "bigint",
        sweep_rows_done: "bigint",
        sweep_rows_total: "bigint",
        sweep_running: "integer",
        sweep_answers: "bigint",
        sweep_requests: "bigint",
      },
      key: ["sale"],
    }),
    "016_outbox_event": addColumn("outbox", "event", blob),
    "017_outbox_unpublished_sale": index("outbox", "unpublished_sale", ["published_at_ms", "sale", "revision"]),
    "018_outbox_relay": table("outbox_relay", {
      columns: { name: ascii(16), holder: ascii(64), until_ms: "bigint" },
      nullable: { store_id: ascii(128) },
      key: ["name"],
    }),
    "019_outbox_trace_parent": addColumn("outbox", "trace_parent", ascii(TRACE_PARENT_CHARACTERS)),
    "020_sale_state_write_token": addColumn("sale_state", "write_token", binary(8)),
    "021_begun_sale": table("begun_sale", {
      columns: { owner: binary(16), copy_of: binary(16), sale: binary(16), entries: text, begun_at_ms: "bigint" },
      key: ["owner", "copy_of"],
    }),
    "022_begun_sale_sale": index("begun_sale", "sale", ["sale"]),
    "023_sale_source_status_as_of_height": addColumn("sale_source_status", "as_of_height", "bigint"),
    "024_sale_source_status_as_of_hash": addColumn("sale_source_status", "as_of_hash", varbinary(32)),
    "025_sale_source_status_as_of_time": addColumn("sale_source_status", "as_of_time_s", "bigint"),
    "026_sale_source_status_success": addColumn("sale_source_status", "success_at_ms", "bigint"),
    "027_sale_source_status_read_interval": addColumn("sale_source_status", "read_interval_ms", "bigint"),
    "028_sale_source_status_settled_since": addColumn("sale_source_status", "settled_since_ms", "bigint"),
    "029_sale_state_status": widenColumn(dialect, "sale_state", "status", ascii(16)),
    "030_sale_source_status_chain_id": addColumn("sale_source_status", "chain_id", "bigint"),
    "031_sale_source_status_contract_url": addColumn("sale_source_status", "contract_url", text),
    "032_commitment_wallet": table("commitment_wallet", {
      columns: { sale: binary(16), wallet: ascii(44), commitment_id: binary(32) },
      key: ["sale", "wallet", "commitment_id"],
    }),
    "033_sale_state_wallets_token": addColumn("sale_state", "wallets_token", binary(8)),
    "034_sale_state_wallets_filled_to": addColumn("sale_state", "wallets_filled_to", varbinary(32)),
    "035_sale_state_changed_height": addColumn("sale_state", "changed_height", "bigint"),
    "036_sale_state_changed_hash": addColumn("sale_state", "changed_hash", varbinary(32)),
    "037_sale_logo": table("sale_logo", {
      columns: { sale: binary(16), logo: binary(32), media_type: ascii(16), image: blob },
      key: ["sale"],
    }),
    "038_sale_logo_logo": index("sale_logo", "logo", ["logo"]),
    "039_webhook_endpoint": table("webhook_endpoint", {
      columns: { endpoint: binary(16), sale: binary(16), url: text, secret: blob, created_at_ms: "bigint" },
      nullable: {
        disabled_at_ms: "bigint",
        disabled_why: ascii(16),
        failing_since_ms: "bigint",
        previous_secret: blob,
        previous_until_ms: "bigint",
      },
      key: ["endpoint"],
    }),
    "040_webhook_endpoint_sale": index("webhook_endpoint", "sale", ["sale"]),
    "041_webhook_event": table("webhook_event", {
      columns: { event: binary(16), sale: binary(16), type: ascii(32), created_at_ms: "bigint", body: text },
      key: ["event"],
    }),
    "042_webhook_event_sale": index("webhook_event", "sale", ["sale", "created_at_ms"]),
    "043_webhook_event_age": index("webhook_event", "age", ["created_at_ms"]),
    "044_webhook_delivery": table("webhook_delivery", {
      columns: {
        endpoint: binary(16),
        event: binary(16),
        sale: binary(16),
        event_at_ms: "bigint",
        status: ascii(16),
        attempts: "integer",
        next_attempt_ms: "bigint",
        give_up_at_ms: "bigint",
      },
      nullable: { last_attempt_ms: "bigint", last_http_status: "integer", last_failure: text },
      key: ["endpoint", "event"],
    }),
    "045_webhook_delivery_due": index("webhook_delivery", "due", ["status", "next_attempt_ms"]),
    "046_webhook_delivery_sale": index("webhook_delivery", "sale", ["sale", "event_at_ms", "event", "endpoint"]),
    "047_webhook_delivery_age": index("webhook_delivery", "age", ["event_at_ms"]),
    "048_webhook_lease": table("webhook_lease", {
      columns: { name: ascii(16), holder: ascii(64), until_ms: "bigint" },
      key: ["name"],
    }),
    "049_webhook_fault": table("webhook_fault", {
      columns: { sale: binary(16), fault: ascii(16) },
      key: ["sale"],
    }),
    "050_commitment_accepted": addColumn("commitment", "accepted", text),
    "051_sale_state_allocations": addColumn("sale_state", "allocations", text),
    "052_allocation": table("allocation", {
      columns: {
        sale: binary(16),
        version: "bigint",
        entity_id: binary(16),
        wallet: ascii(44),
        token: ascii(44),
        accepted: ascii(UINT256_DIGITS),
      },
      key: ["sale", "version", "entity_id", "wallet", "token"],
    }),
    "053_webhook_delivery_next": index("webhook_delivery", "next", ["endpoint", "status", "next_attempt_ms"]),
    "054_webhook_replay": table("webhook_replay", {
      columns: { sale: binary(16), since_ms: "bigint", events: "bigint" },
      key: ["sale"],
    }),
    "055_sale_listed": addColumn("sale", "listed", "integer"),
    "056_sale_listed_index": index("sale", "listed", ["listed", "created_at_ms"]),
    "057_sale_state_late_from": addColumn("sale_state", "late_from_s", "bigint"),
    "058_sale_state_late_revision": addColumn("sale_state", "late_revision", "bigint"),
    "059_commitment_price_tick": widenColumn(dialect, "commitment", "price_tick", varbinary(TICK_BYTES)),
    "060_tick_node_node": widenColumn(dialect, "tick_node", "node", varbinary(1 + TICK_BYTES)),
    "061_sale_state_clearing_tick": widenColumn(dialect, "sale_state", "clearing_tick", varbinary(TICK_BYTES), {
      nullable: true,
    }),
    "062_history_clearing_tick": widenColumn(dialect, "history", "clearing_tick", varbinary(TICK_BYTES), {
      nullable: true,
    }),
    "063_commitment_demand": addColumn("commitment", "demand", text),
    "064_tick_node_demand": addColumn("tick_node", "demand", text),
  };
}
