import { sql } from "kysely";
import type { ExpiredRows } from "../../shared/db/expired-rows.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { AuthDatabase } from "./schema.ts";
import { HOURS_OF_DAY, hourOf, secondsUntilNextSend } from "./send-limit.ts";

const KEYS = ["address", "hour"];

/**
 * Counts a code that will be sent to an address, whether or not the address has an account.
 *
 * @param address HMAC of the address.
 * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; nothing is counted then.
 */
export async function countSend(database: AuthDatabase, address: Buffer, nowMs: bigint): Promise<void> {
  const hour = hourOf(nowMs);
  const add = sql`insert into mail_count (address, hour, sends) values (${address}, ${hour}, 1)
    ${sql.raw(database.dialect.addClause(KEYS, "sends"))}`;
  await database.writeExclusive(address.toString("hex"), async (transaction) => {
    // The insert comes first: concurrent calls wait for it, so that none reads a count that another is about to raise.
    await add.execute(transaction);
    const rows = await transaction
      .selectFrom("mail_count")
      .select(["hour", "sends"])
      .where("address", "=", address)
      .where("hour", ">", hour - HOURS_OF_DAY)
      .execute();
    const counts = rows.map((row) => ({ hour: BigInt(row.hour), sends: Number(row.sends) }));
    const retryAfterSeconds = secondsUntilNextSend(counts, nowMs);
    if (retryAfterSeconds !== undefined) throw tooManySends(retryAfterSeconds);
  });
}

/** Undoes `countSend` for a mail that couldn't be sent. */
export async function uncountSend(database: AuthDatabase, address: Buffer, countedAtMs: bigint): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable("mail_count")
      .set((expression) => ({ sends: expression("sends", "-", 1) }))
      .where("address", "=", address)
      .where("hour", "=", hourOf(countedAtMs))
      .where("sends", ">", 0)
      .execute(),
  );
}

function tooManySends(retryAfterSeconds: number): ServiceError {
  const message = "too many codes were sent to this address; use the last one, or try again later";
  return new ServiceError("resource_exhausted", message, { retryAfterSeconds });
}

export function expiredMailCounts(nowMs: bigint): ExpiredRows {
  return { table: "mail_count", ageColumn: "hour", cutoff: hourOf(nowMs) - HOURS_OF_DAY };
}
