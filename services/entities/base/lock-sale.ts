import { CompiledQuery, type Transaction } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesSchema } from "./schema.ts";

/**
 * Locks what permits of a sale depend on, until the transaction's end: its rules, members, deny list, freezes and keys, and
 * what stops permits. Whoever changes one of these takes the lock first, and permits are recorded under it, so that a
 * permit is either recorded before the change or checked against it. Call it in `writeExclusive` with the sale's UUID.
 *
 * It writes the row instead of reading it: locks of a Galera cluster hold on one server, and only writes conflict.
 */
export async function lockSale(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
): Promise<void> {
  await transaction.executeQuery(lockSaleStatement(dialect, saleUuid));
}

/** The statement of `lockSale`, for a message with others. */
export function lockSaleStatement(dialect: SqlDialect, saleUuid: string): CompiledQuery {
  const bound = new BoundValues(dialect);
  const row = bound.list([bytesOfHex(saleUuid), 1n]);
  const text = `insert into sale_permits (sale, locks) values ${row} ${dialect.addClause(["sale"], "locks")}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/**
 * `lockSale` for whoever stores rules, lists, proofs or keys of a sale. Nothing is stored once the sale's erasure has begun: it
 * deletes long lists in many transactions, and nobody would erase what comes afterwards.
 *
 * @throws ServiceError `failed_precondition` for a sale that was deleted or withdrawn
 */
export async function lockSaleForChange(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
): Promise<void> {
  if (await lockSaleUnlessErased(transaction, dialect, saleUuid)) return;
  throw new ServiceError(
    "failed_precondition",
    "the sale was deleted or withdrawn: its rules, lists and keys are erased",
  );
}

/** `lockSaleForChange` for callers that store nothing in silence. @returns whether the sale may be changed */
export async function lockSaleUnlessErased(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
): Promise<boolean> {
  await lockSale(transaction, dialect, saleUuid);
  const { erased_at_ms } = await transaction
    .selectFrom("sale_permits")
    .select("erased_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  return erased_at_ms === null;
}
