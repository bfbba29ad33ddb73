import { type CompiledQuery, sql, type Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows, upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { DEAD_RELAY_MS } from "../base/domain/lifetimes.ts";
import { bigintOf } from "../base/encoding.ts";
import { COMMON_GENERATION } from "../base/generation.ts";
import type { CommitmentsDatabase, CommitmentsSchema, OutboxRelayTable } from "../base/schema.ts";
import { ALL_PARTITIONS, PARTITIONS } from "./partitions.ts";

/** The row of the whole outbox. Versions without partitions know only this one. */
export const WHOLE = "outbox";
const PARTITION = "outbox/";
const MEMBER = "member ";
/** Characters of a process's ID in the name of its row. */
const ID_CHARACTERS = 8;

const LEASES = tableTarget<OutboxRelayTable>("outbox_relay", {
  name: "key",
  holder: "value",
  until_ms: "value",
  store_id: "value",
});

/** A lease as it is in the database. */
export interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  /** Time by the database's clock. */
  readonly untilMillis: bigint;
  /** The bus's store that a partition was published to last; undefined before the first publication. */
  readonly storeId: string | undefined;
}

/** All leases of the outbox at one time. */
export interface Leases {
  readonly now: bigint;
  readonly whole: LeaseRow;
  /** Leases of the partitions, in the order of their numbers. */
  readonly partitions: readonly LeaseRow[];
  /** One for each process that takes part. */
  readonly members: readonly LeaseRow[];
}

type ReadRow = OutboxRelayTable & { readonly now: bigint | string };

/** Rows to write, and the names of those to delete. */
export interface LeaseChanges {
  readonly write?: readonly LeaseRow[];
  readonly remove?: readonly string[];
}

export function memberName(id: string): string {
  return `${MEMBER}${id.slice(0, ID_CHARACTERS)}`;
}

/** Whether a lease hasn't ended yet. */
export function isLive({ untilMillis }: LeaseRow, { now }: Leases): boolean {
  return untilMillis > now;
}

/**
 * Reads all leases and changes some in one transaction, which only one process at a time is in: it locks the row of the whole
 * outbox first. Two messages, as each process renews its leases every three seconds.
 *
 * @param change must not change anything else, as the transaction may run again
 */
export async function changeLeases(
  database: CommitmentsDatabase,
  change: (leases: Leases) => LeaseChanges,
): Promise<void> {
  await database.write(async (transaction) => {
    const { dialect } = database;
    const lock = lockWhole(database, transaction);
    const [, { rows }] = await executeBatch(transaction, dialect, [lock, selectLeases(database, transaction)]);
    const leases = leasesOf(rows);
    const { write = [], remove = [] } = change(leases);
    const dead = leases.members.filter(({ untilMillis }) => untilMillis < leases.now - DEAD_RELAY_MS);
    const names = [...remove, ...dead.map(({ name }) => name)];
    await executeAndCommit(transaction, dialect, [
      ...(write.length > 0 ? [upsertStatement(dialect, LEASES, write.map(rowOf))] : []),
      ...(names.length > 0 ? [transaction.deleteFrom("outbox_relay").where("name", "in", names).compile()] : []),
    ]);
  });
}

/** Whether a process has a lease of the outbox, as each has that is connected to the bus. */
export async function isOutboxLeased(database: CommitmentsDatabase): Promise<boolean> {
  const live = await database.read((query) =>
    query
      .selectFrom("outbox_relay")
      .select("name")
      .where("until_ms", ">", database.dialect.nowMillis)
      .executeTakeFirst(),
  );
  return live !== undefined;
}

/** Notes a generation that all sales begin together. */
export function noteCommonGeneration(
  transaction: Transaction<CommitmentsSchema>,
  dialect: SqlDialect,
  generation: string,
): Promise<void> {
  const row = { name: COMMON_GENERATION, holder: generation, until_ms: 0n, store_id: null };
  return upsertRows(transaction, dialect, LEASES, [row]);
}

/** Builds the statement that locks the row, and inserts it if there is none. */
function lockWhole({ dialect }: CommitmentsDatabase, transaction: Transaction<CommitmentsSchema>): CompiledQuery {
  const clause = sql.raw(dialect.addClause(["name"], "until_ms"));
  return sql`insert into outbox_relay (name, holder, until_ms) values (${WHOLE}, '', 0) ${clause}`.compile(transaction);
}

function selectLeases({ dialect }: CommitmentsDatabase, transaction: Transaction<CommitmentsSchema>) {
  return transaction
    .selectFrom("outbox_relay")
    .select(["name", "holder", "until_ms", "store_id", dialect.nowMillis.as("now")])
    .compile();
}

function leasesOf(rows: readonly ReadRow[]): Leases {
  const byName = new Map(rows.map((row) => [row.name, leaseOf(row)]));
  const whole = byName.get(WHOLE) ?? unheld(WHOLE, undefined);
  return {
    now: BigInt(rows[0]?.now ?? 0n),
    whole,
    // A partition that nobody has held yet was published by a version without partitions, if at all.
    partitions: ALL_PARTITIONS.map(partitionName).map((name) => byName.get(name) ?? unheld(name, whole.storeId)),
    members: [...byName.values()].filter(({ name }) => name.startsWith(MEMBER)),
  };
}

function rowOf({ name, holder, untilMillis, storeId }: LeaseRow): OutboxRelayTable {
  return { name, holder, until_ms: untilMillis, store_id: storeId ?? null };
}

function leaseOf({ name, holder, until_ms, store_id }: OutboxRelayTable): LeaseRow {
  return { name, holder, untilMillis: bigintOf(until_ms), storeId: store_id ?? undefined };
}

function unheld(name: string, storeId: string | undefined): LeaseRow {
  return { name, holder: "", untilMillis: 0n, storeId };
}

function partitionName(partition: number): string {
  return `${PARTITION}${partition.toString(PARTITIONS)}`;
}

/** Notes the store that partitions are published to from now on. */
export async function writeStoreId(
  database: CommitmentsDatabase,
  partitions: readonly number[],
  storeId: string,
): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable("outbox_relay")
      .set({ store_id: storeId })
      .where("name", "in", partitions.map(partitionName))
      .execute(),
  );
}
