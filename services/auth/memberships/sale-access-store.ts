import { randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthDatabase, AuthSchema, SaleAccessTable } from "../base/schema.ts";
import { saleNotFound } from "./check-role.ts";

const SALT_BYTES = 32;
const NEW_SALE = { opening_at_ms: null, removal_at_ms: null, withdrawn_at_ms: null };

/** Adds a sale with a new salt. @throws an error for which `isDuplicateKey` is true where the sale exists. */
export async function insertSaleAccess(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  await transaction
    .insertInto("sale_access")
    .values({ sale: bytesOfHex(saleUuid), subject_salt: randomBytes(SALT_BYTES), ...NEW_SALE })
    .execute();
}

/** Adds a sale that may have been created without auth; does nothing if it is known already. */
export async function ensureSaleAccess(database: AuthDatabase, saleUuid: string): Promise<void> {
  try {
    await database.write((transaction) => insertSaleAccess(transaction, saleUuid));
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}

/** Whether auth has a row for a sale. */
export async function isSaleKnown(query: Kysely<AuthSchema>, saleUuid: string): Promise<boolean> {
  return (await subjectSaltOf(query, saleUuid)) !== undefined;
}

/** Returns the salt of a sale's pairwise subjects: 32 random bytes. */
export async function subjectSaltOf(query: Kysely<AuthSchema>, saleUuid: string): Promise<Uint8Array | undefined> {
  const row = await query
    .selectFrom("sale_access")
    .select("subject_salt")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row?.subject_salt;
}

/**
 * Locks a sale until the end of the transaction, so that changes of its clients, members and opening run one after another.
 *
 * @returns when its opening was last admitted, in milliseconds since 1970; undefined if it never was.
 * @throws ServiceError `not_found`
 */
export async function lockSale(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  saleUuid: string,
): Promise<bigint | undefined> {
  const sale = bytesOfHex(saleUuid);
  const query = transaction.selectFrom("sale_access").select("opening_at_ms").where("sale", "=", sale);
  const rows = await executeNamed(transaction, dialect, {
    lock: lockRowsStatement(dialect, { table: "sale_access", column: "sale", values: [sale] }),
    access: query.compile(),
  });
  const row = rows.access[0];
  if (row === undefined) throw saleNotFound(saleUuid);
  return row.opening_at_ms === null ? undefined : BigInt(row.opening_at_ms);
}

/** Stores when an opening was admitted, in milliseconds since 1970; undefined for an opening that didn't happen. */
export async function storeOpening(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  openingAtMs: bigint | undefined,
): Promise<void> {
  await changeSale(transaction, saleUuid, { opening_at_ms: openingAtMs ?? null });
}

/** Stores when a removal was admitted, in milliseconds since 1970. The transaction must have locked the sale. */
export async function storeAdmittedRemoval(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  removalAtMs: bigint,
): Promise<void> {
  await changeSale(transaction, saleUuid, { removal_at_ms: removalAtMs });
}

/**
 * Stores that a removal is no longer pending. The transaction must have locked the sale.
 *
 * @param withdrawnAtMs when auth learnt that the sale was withdrawn; undefined if it wasn't
 */
export async function endRemoval(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  withdrawnAtMs?: bigint,
): Promise<void> {
  await changeSale(transaction, saleUuid, {
    removal_at_ms: null,
    ...(withdrawnAtMs !== undefined && { withdrawn_at_ms: withdrawnAtMs }),
  });
}

/** Returns when the pending removal of a sale was admitted, in milliseconds since 1970; undefined without one. */
export async function pendingRemovalOf(query: Kysely<AuthSchema>, saleUuid: string): Promise<bigint | undefined> {
  const row = await query
    .selectFrom("sale_access")
    .select("removal_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row === undefined || row.removal_at_ms === null ? undefined : BigInt(row.removal_at_ms);
}

/** Returns the sales with a pending removal, the oldest first. */
export async function pendingRemovals(query: Kysely<AuthSchema>, limit: number): Promise<readonly string[]> {
  const rows = await query
    .selectFrom("sale_access")
    .select("sale")
    .where("removal_at_ms", "is not", null)
    .orderBy("removal_at_ms")
    .limit(limit)
    .execute();
  return rows.map(({ sale }) => uuidFromBytes(sale));
}

/** @throws ServiceError `failed_precondition` for a withdrawn sale. */
export async function requireNotWithdrawn(query: Kysely<AuthSchema>, saleUuid: string): Promise<void> {
  const row = await query
    .selectFrom("sale_access")
    .select("withdrawn_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  if (row === undefined || row.withdrawn_at_ms === null) return;
  throw new ServiceError("failed_precondition", "the sale was withdrawn");
}

async function changeSale(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  change: Partial<Pick<SaleAccessTable, "opening_at_ms" | "removal_at_ms" | "withdrawn_at_ms">>,
): Promise<void> {
  await transaction.updateTable("sale_access").set(change).where("sale", "=", bytesOfHex(saleUuid)).execute();
}
