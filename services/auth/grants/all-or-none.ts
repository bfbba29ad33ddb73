import type { Transaction } from "kysely";
import type { AuthDatabase, AuthSchema } from "../store/schema.ts";

/** Somebody else was faster with one of the group. */
class NotAll extends Error {}

/**
 * Does something for a whole group in one transaction, or nothing at all.
 *
 * @param work returns for how many of the group it was possible.
 * @returns whether it is done.
 * @throws ServiceError `unavailable`
 */
export async function allOrNone(
  database: AuthDatabase,
  group: readonly unknown[],
  work: (transaction: Transaction<AuthSchema>) => Promise<number>,
): Promise<boolean> {
  if (group.length === 0) return true;
  try {
    await database.write(async (transaction) => {
      if ((await work(transaction)) !== group.length) throw new NotAll();
    });
    return true;
  } catch (error) {
    if (error instanceof NotAll) return false;
    throw error;
  }
}

/** Those that were not refused. */
export function fulfilled<Value>(results: readonly PromiseSettledResult<Value>[]): Value[] {
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** @throws what the result was refused with. */
export function settledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** The time of a group is that of its last member. */
export function latest(group: readonly { readonly nowMs: bigint }[]): bigint {
  let last = 0n;
  for (const { nowMs } of group) if (nowMs > last) last = nowMs;
  return last;
}
