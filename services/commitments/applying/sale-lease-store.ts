import { sql } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Lease } from "../base/domain/lease.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import { bigintOf } from "../base/encoding.ts";
import { decodeSaleState, saleNotFound, type Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { InTurn } from "./lease-writes.ts";

/** Decision about a sale's next lease, by the state of the sale and the database's clock. */
type Decide = (state: SaleState, nowMillis: bigint) => Lease;

/**
 * Replaces the lease of a sale by what `decide` returns. The sale's row is locked first, so that an apply under the epoch before can't
 * overtake.
 *
 * @throws ServiceError `not_found`, `unavailable`, and whatever `decide` throws.
 */
export async function changeLease(database: CommitmentsDatabase, saleUuid: string, decide: Decide): Promise<Lease> {
  const { dialect } = database;
  const change = (transaction: Tx) => replaceLease(transaction, dialect, saleUuid, decide, dialect.lockRows);
  return database.writeExclusive(saleUuid, change);
}

/**
 * Does what `changeLease` does, but waits for no other transaction.
 *
 * @param inTurn bounds the rows that are written at once
 * @throws ServiceError as `changeLease`
 */
export async function changeLeaseAtOnce(
  database: CommitmentsDatabase,
  saleUuid: string,
  decide: Decide,
  inTurn: InTurn,
): Promise<Lease | "locked"> {
  const { dialect } = database;
  const change = (transaction: Tx) => replaceLease(transaction, dialect, saleUuid, decide, dialect.lockRowsAtOnce);
  return writeAtOnce(database, saleUuid, () => database.query.transaction().execute(change), inTurn);
}

async function replaceLease(
  transaction: Tx,
  dialect: SqlDialect,
  saleUuid: string,
  decide: Decide,
  lock: SqlDialect["lockRowsAtOnce"],
): Promise<Lease> {
  const key = bytesOfHex(saleUuid);
  const query = transaction
    .selectFrom("sale_state")
    .selectAll()
    .select(dialect.nowMillis.as("now_ms"))
    .where("sale", "=", key);
  const row = await lock(query).executeTakeFirst();
  if (row === undefined) throw saleNotFound(saleUuid);
  const lease = decide(decodeSaleState(row), BigInt(row.now_ms));
  await transaction
    .updateTable("sale_state")
    .set({ lease_holder: lease.holder, lease_epoch: lease.epoch, lease_until_ms: lease.untilMillis })
    .where("sale", "=", key)
    .execute();
  return lease;
}

/**
 * Writes a sale's row without waiting for another process that has it. Where this process changes the sale, the write comes after the
 * changes that wait already, without a place of its own, so that it delays no other lease; and it holds up no change while it waits for its
 * turn.
 *
 * @throws ServiceError `unavailable`, and whatever `attempt` throws
 */
async function writeAtOnce<Outcome>(
  database: CommitmentsDatabase,
  saleUuid: string,
  attempt: () => Promise<Outcome>,
  inTurn: InTurn,
): Promise<Outcome | "locked"> {
  const tryOnce = () =>
    attempt().catch((error: unknown): "locked" => {
      if (!database.dialect.isLocked(error)) throw error;
      return "locked";
    });
  const write = () => database.runExclusive(saleUuid, () => database.retry(tryOnce));
  const outcome = await inTurn(async () => (database.isExclusive(saleUuid) ? undefined : write()));
  return outcome ?? write();
}

export interface HeldLease {
  readonly saleUuid: string;
  readonly holder: string;
  readonly epoch: bigint;
  readonly durationMillis: bigint;
}

/**
 * Prolongs a lease that its holder still has under the same epoch. As `nextLease` does, it prolongs one that has expired, as long as
 * nobody has taken it. It waits for changes of the sale in this process, and for no other transaction.
 *
 * @param inTurn bounds the rows that are written at once
 * @returns `lost` if another one has it or had it in between, or the sale is withdrawn or gone.
 * @throws ServiceError `unavailable`
 */
export async function prolongLease(
  database: CommitmentsDatabase,
  { saleUuid, holder, epoch, durationMillis }: HeldLease,
  inTurn: InTurn,
): Promise<"renewed" | "lost" | "locked"> {
  const { dialect, query } = database;
  const sale = bytesOfHex(saleUuid);
  const lock = dialect.lockRowsAtOnce(query.selectFrom("sale_state").select("sale").where("sale", "=", sale));
  const update = query
    .updateTable("sale_state")
    .set({ lease_until_ms: sql<bigint>`${dialect.nowMillis} + ${durationMillis}` })
    .where("sale", "=", sale)
    .where("lease_holder", "=", holder)
    .where("lease_epoch", "=", epoch)
    .where("status", "!=", "withdrawn");
  const statements = [lock.compile(), update.compile()] as const;
  const prolong = async () => {
    const [, updated] = await query
      .transaction()
      .execute((transaction) => executeAndCommit(transaction, dialect, statements));
    return updated.affectedRows === 1n ? "renewed" : "lost";
  };
  return writeAtOnce(database, saleUuid, prolong, inTurn);
}

export interface LeaseHolding {
  readonly saleUuid: string;
  /** Whether somebody else has the lease now, as far as a read without a lock can tell. */
  readonly isForeign: boolean;
}

/** Reads of many sales whether a holder would have to wait for their leases. Those that are unknown or withdrawn are left out. */
export async function readHoldings(
  database: CommitmentsDatabase,
  saleUuids: readonly string[],
  holder: string,
): Promise<readonly LeaseHolding[]> {
  const holdings: LeaseHolding[] = [];
  for (const batch of inBatches(saleUuids)) {
    const rows = await database.read((query) =>
      query
        .selectFrom("sale_state")
        .select(["sale", "lease_holder", "lease_until_ms", database.dialect.nowMillis.as("now_ms")])
        .where("sale", "in", batch.map(bytesOfHex))
        .where("status", "!=", "withdrawn")
        .execute(),
    );
    for (const row of rows) {
      const isForeign = row.lease_holder !== holder && bigintOf(row.lease_until_ms) > BigInt(row.now_ms);
      holdings.push({ saleUuid: uuidFromBytes(row.sale), isForeign });
    }
  }
  return holdings;
}
