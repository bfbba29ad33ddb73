import { randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../shared/db/sql/dialect.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { saleNotFound } from "./check-role.ts";

const SALT_BYTES = 32;

/** Notes a sale with a new salt. Throws what `isDuplicateKey` knows where it is noted already. */
export async function insertSaleAccess(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  await transaction
    .insertInto("sale_access")
    .values({ sale: bytesOfHex(saleUuid), subject_salt: randomBytes(SALT_BYTES), opening_at_ms: null })
    .execute();
}

/** Notes a sale that was made without the auth service's knowledge; nothing where it is noted already. */
export async function ensureSaleAccess(database: AuthDatabase, saleUuid: string): Promise<void> {
  try {
    await database.write((transaction) => insertSaleAccess(transaction, saleUuid));
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}

export async function isSaleKnown(query: Kysely<AuthSchema>, saleUuid: string): Promise<boolean> {
  return (await subjectSaltOf(query, saleUuid)) !== undefined;
}

/** What makes the pairwise subjects of a sale: 32 random bytes. */
export async function subjectSaltOf(query: Kysely<AuthSchema>, saleUuid: string): Promise<Uint8Array | undefined> {
  const row = await query
    .selectFrom("sale_access")
    .select("subject_salt")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row?.subject_salt;
}

/**
 * Locks a sale until the end of the transaction: its clients, its members and its opening change one after another.
 *
 * @returns when its opening was last admitted, in milliseconds since 1970; undefined for never.
 * @throws ServiceError `not_found`
 */
export async function lockSale(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  saleUuid: string,
): Promise<bigint | undefined> {
  const query = transaction.selectFrom("sale_access").select("opening_at_ms").where("sale", "=", bytesOfHex(saleUuid));
  const row = await dialect.lockRows(query).executeTakeFirst();
  if (row === undefined) throw saleNotFound(saleUuid);
  return row.opening_at_ms === null ? undefined : BigInt(row.opening_at_ms);
}

/** Keeps when an opening was admitted; undefined: it came to nothing. In milliseconds since 1970. */
export async function storeOpening(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  openingAtMs: bigint | undefined,
): Promise<void> {
  await transaction
    .updateTable("sale_access")
    .set({ opening_at_ms: openingAtMs ?? null })
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
}
