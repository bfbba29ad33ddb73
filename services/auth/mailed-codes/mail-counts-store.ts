import { sql, type Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { chooseAllowance, HOURS_OF_DAY, type HourlySends, hourOf, type SendDecision } from "./send-limit.ts";

const KEYS = ["address", "hour"];

/** The counter of an allowance of an address. */
export interface SendCounter {
  /** HMAC of the address and the allowance. */
  readonly key: Buffer;
  /** Whether this send may be counted there. */
  readonly isAllowed: boolean;
}

/**
 * Counts a code that will be sent to an address, whether or not the address has an account, under the first allowance that
 * has room. The statements are the same for every decision, so that their time doesn't reveal it.
 *
 * @param strangers the counter that all requests share; its row is the lock of the address
 * @param others further counters of the address, which come first
 */
export async function countSend(
  database: AuthDatabase,
  strangers: SendCounter,
  others: readonly SendCounter[],
  nowMs: bigint,
): Promise<SendDecision<SendCounter>> {
  const hour = hourOf(nowMs);
  const counters = [...others, strangers];
  return database.writeExclusive(strangers.key.toString("hex"), async (transaction) => {
    // Concurrent calls wait for this row, so that none reads counts that another is about to raise.
    await addSends(database, transaction, strangers.key, hour, 0);
    const counts = await readCounts(transaction, counters, hour);
    const allowances = counters.map((counter, index) => ({ ...counter, sends: counts[index] ?? [] }));
    const decision = chooseAllowance(allowances, nowMs);
    const counted = decision.counted?.key ?? strangers.key;
    await addSends(database, transaction, counted, hour, decision.counted === undefined ? 0 : 1);
    return decision;
  });
}

/** Undoes `countSend` for a mail that couldn't be sent. */
export async function uncountSend(database: AuthDatabase, { key }: SendCounter, countedAtMs: bigint): Promise<void> {
  await database.write((transaction) =>
    transaction
      .updateTable("mail_count")
      .set((expression) => ({ sends: expression("sends", "-", 1) }))
      .where("address", "=", key)
      .where("hour", "=", hourOf(countedAtMs))
      .where("sends", ">", 0)
      .execute(),
  );
}

async function addSends(
  { dialect }: AuthDatabase,
  transaction: Transaction<AuthSchema>,
  key: Buffer,
  hour: bigint,
  sends: number,
): Promise<void> {
  await sql`insert into mail_count (address, hour, sends) values (${key}, ${hour}, ${sends})
    ${sql.raw(dialect.addClause(KEYS, "sends"))}`.execute(transaction);
}

/** Returns the last 24 hours of each counter. */
async function readCounts(
  transaction: Transaction<AuthSchema>,
  counters: readonly SendCounter[],
  hour: bigint,
): Promise<readonly (readonly HourlySends[])[]> {
  const keys = counters.map(({ key }) => key);
  const rows = await transaction
    .selectFrom("mail_count")
    .selectAll()
    .where("address", "in", keys)
    .where("hour", ">", hour - HOURS_OF_DAY)
    .execute();
  return keys.map((key) =>
    rows
      .filter(({ address }) => key.equals(address))
      .map((row) => ({ hour: BigInt(row.hour), sends: Number(row.sends) })),
  );
}

export function expiredMailCounts(nowMs: bigint): ExpiredRows {
  return { table: "mail_count", ageColumn: "hour", cutoff: hourOf(nowMs) - HOURS_OF_DAY };
}
