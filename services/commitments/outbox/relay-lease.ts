import { bigintOf } from "../store/sql/encoding.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";

/** The one row of `outbox_relay`. */
const NAME = "outbox";

/**
 * Gives or renews the lease of the outbox for `durationMillis`, by the database's clock.
 *
 * @returns whether `holder` has it.
 */
export async function acquireRelayLease(
  database: CommitmentsDatabase,
  holder: string,
  durationMillis: bigint,
): Promise<boolean> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("outbox_relay")
      .select(["holder", "until_ms", database.dialect.nowMillis.as("now")])
      .where("name", "=", NAME)
      .executeTakeFirst(),
  );
  const now = BigInt(row?.now ?? (await database.nowMillis()));
  if (row === undefined) return insertLease(database, holder, now + durationMillis);
  if (row.holder !== holder && bigintOf(row.until_ms) > now) return false;
  return takeLease(database, holder, bigintOf(row.until_ms), row.holder, now + durationMillis);
}

async function insertLease(database: CommitmentsDatabase, holder: string, untilMillis: bigint): Promise<boolean> {
  const lease = { name: NAME, holder, until_ms: untilMillis, store_id: null };
  try {
    await database.write((transaction) => transaction.insertInto("outbox_relay").values(lease).execute());
    return true;
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    return false;
  }
}

/** Changes the row only if it is as it was read: if two processes take the lease at once, one of them gets it. */
async function takeLease(
  database: CommitmentsDatabase,
  holder: string,
  seenUntil: bigint,
  seenHolder: string,
  untilMillis: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await database.write((transaction) =>
    transaction
      .updateTable("outbox_relay")
      .set({ holder, until_ms: untilMillis })
      .where("name", "=", NAME)
      .where("holder", "=", seenHolder)
      .where("until_ms", "=", seenUntil)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

/** Releases the lease at once. */
export async function releaseRelayLease(database: CommitmentsDatabase, holder: string): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable("outbox_relay")
      .set({ until_ms: 0n })
      .where("name", "=", NAME)
      .where("holder", "=", holder)
      .execute(),
  );
}

/** Reads which store of the bus was published to last; undefined before the first publication. */
export async function readStoreId(database: CommitmentsDatabase): Promise<string | undefined> {
  const row = await database.read((connection) =>
    connection.selectFrom("outbox_relay").select("store_id").where("name", "=", NAME).executeTakeFirst(),
  );
  return row?.store_id ?? undefined;
}

export async function writeStoreId(database: CommitmentsDatabase, storeId: string): Promise<void> {
  await database.write((transaction) =>
    transaction.updateTable("outbox_relay").set({ store_id: storeId }).where("name", "=", NAME).execute(),
  );
}
