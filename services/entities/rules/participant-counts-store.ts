import { type Kysely, sql, type Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The numbers of a sale's members and of wallets on its deny list. */
export interface ParticipantCounts {
  readonly members: bigint;
  readonly denied: bigint;
}

/** Returns the numbers without counting rows, of which there may be a million. */
export async function readParticipantCounts(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
): Promise<ParticipantCounts> {
  const row = await query
    .selectFrom("participant_count")
    .select(["members", "denied"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return { members: BigInt(row?.members ?? 0n), denied: BigInt(row?.denied ?? 0n) };
}

/** Adds to one of the numbers. The transaction must have locked the sale (`lockSale`). */
export async function addToCount(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
  counted: keyof ParticipantCounts,
  change: number,
): Promise<void> {
  if (change === 0) return;
  const values = { sale: bytesOfHex(saleUuid), members: 0n, denied: 0n, [counted]: BigInt(change) };
  const add = sql.raw(dialect.addClause(["sale"], counted));
  await sql`insert into participant_count (sale, members, denied)
    values (${values.sale}, ${values.members}, ${values.denied}) ${add}`.execute(transaction);
}
