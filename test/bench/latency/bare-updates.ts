import { randomBytes } from "node:crypto";
import { createPool, type Pool } from "mysql2/promise";
import { connect, type JetStreamClient, type NatsConnection } from "nats";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { nodeKey } from "../../../common/sale/figures/tick-tree.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { bareRows, COMMITMENT_COLUMNS } from "../apply.ts";

/** Size of the pool, as in the service. */
const CONNECTIONS = 10;
const STREAM = "BARE";
/** Size of an event, about that of a `SaleUpdated`. */
export const EVENT_BYTES = 150;
const LEVELS = 9;
const RESOLUTIONS_S = [1n, 60n, 3600n];

/** The tables that an apply writes. */
const TARGETS = {
  state: target(
    "sale_state",
    "sale",
    "generation revision status stage settle_count has_snapshot clearing_tick source_height source_hash lease_holder lease_epoch lease_until_ms change_set change_set_next_part change_set_stage",
  ),
  commitment: target("commitment", COMMITMENT_COLUMNS.slice(0, 2).join(" "), COMMITMENT_COLUMNS.slice(2).join(" ")),
  nodes: target("tick_node", "sale standing node", "amount commitments"),
  history: target("history", "sale resolution_s bucket_s", "total commitments clearing_tick"),
  request: target("apply_request", "sale request_id", "payload_hash revision created_at_ms"),
  outbox: target("outbox", "sale revision", "generation created_at_ms published_at_ms event"),
};

interface Target {
  readonly table: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

function target(table: string, keys: string, values: string): Target {
  return { table, keys: keys.split(" "), values: values.split(" ") };
}

/**
 * The baseline of the latency benchmark: writes the rows that an apply of one bid writes, in one transaction sent to MariaDB as
 * one message, then publishes an event to JetStream. It reads nothing and computes nothing.
 */
export class BareUpdates {
  readonly #pool: Pool;
  readonly #connection: NatsConnection;
  readonly #stream: JetStreamClient;
  readonly #received = new Map<string, () => void>();
  #revision = 1n;

  private constructor(pool: Pool, connection: NatsConnection) {
    this.#pool = pool;
    this.#connection = connection;
    this.#stream = connection.jetstream();
    connection.subscribe("bare.>", { callback: (_, { subject }) => this.#received.get(subject)?.() });
  }

  /** Creates a stream, and tables like those of the database `service`. */
  static async open(mysqlUrl: string, natsUrl: string): Promise<BareUpdates> {
    const pool = createPool({ uri: mysqlUrl, connectionLimit: CONNECTIONS, multipleStatements: true });
    for (const { table } of Object.values(TARGETS)) await pool.query(`create table ${table} like service.${table}`);
    const connection = await connect({ servers: natsUrl });
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: STREAM, subjects: ["bare.>"] });
    return new BareUpdates(pool, connection);
  }

  /** Writes one update. Resolves when its event has been received. */
  async update(saleUuid: string, bid: CommitmentRecord): Promise<void> {
    const revision = this.#revision++;
    await this.#pool.query(transactionOf(saleUuid, bid, revision));
    const subject = `bare.${saleUuid}.${revision}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#received.set(subject, resolve);
    await Promise.all([promise, this.#stream.publish(subject, randomBytes(EVENT_BYTES), { msgID: subject })]);
    this.#received.delete(subject);
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#pool.end();
  }
}

function transactionOf(saleUuid: string, bid: CommitmentRecord, revision: bigint): string {
  const sale = bytesOfHex(saleUuid);
  const now = BigInt(Date.now());
  const seconds = now / 1_000n;
  const eight = randomBytes(8);
  const state = [sale, eight, revision, "open", null, 0n, 1n, eight, null, null, null, 0n, 0n, null, 0n, null];
  const nodes = Array.from({ length: LEVELS }, (_, level) => bytesOfHex(nodeKey(8, level, BigInt(bid.priceTicks))));
  const rows = {
    state: [state],
    commitment: bareRows(saleUuid, [bid]),
    nodes: nodes.map((node) => [sale, 1n, node, "123456789012", 17n]),
    history: RESOLUTIONS_S.map((width) => [sale, width, seconds - (seconds % width), "123456789012", 17n, eight]),
    request: [[sale, randomBytes(16), randomBytes(32), revision, now]],
    outbox: [[sale, revision, eight, now, null, randomBytes(EVENT_BYTES)]],
  };
  const statements = Object.entries(TARGETS).map(([name, table]) =>
    upsertText(table, rows[name as keyof typeof TARGETS]),
  );
  return ["begin", ...statements, "commit"].join(";");
}

function upsertText({ table, keys, values }: Target, rows: readonly (readonly unknown[])[]): string {
  const columns = [...keys, ...values].join(", ");
  const tuples = new BoundValues(mysqlDialect).rows(rows);
  return `insert into ${table} (${columns}) values ${tuples} ${mysqlDialect.upsertClause(keys, values)}`;
}
