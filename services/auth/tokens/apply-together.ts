import type { Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";

/** Rolls a transaction back in which a concurrent call was faster with an item of the group. */
class IncompleteGroup extends Error {}

/**
 * Does something for a whole group in one transaction, or for none of it.
 *
 * @param work returns for how many items of the group it succeeded.
 * @returns whether it was done.
 * @throws ServiceError `unavailable`
 */
async function allOrNone(
  database: AuthDatabase,
  group: readonly unknown[],
  work: (transaction: Transaction<AuthSchema>) => Promise<number>,
): Promise<boolean> {
  if (group.length === 0) return true;
  try {
    await database.write(async (transaction) => {
      if ((await work(transaction)) !== group.length) throw new IncompleteGroup();
    });
    return true;
  } catch (error) {
    if (error instanceof IncompleteGroup) return false;
    throw error;
  }
}

/** An item that wasn't refused. */
interface Judged {
  /** Whether nothing is left to do for the item. */
  readonly settled: boolean;
}

/**
 * Does `work` in one transaction for all items that are due, or for none of them, and sets their `settled` accordingly.
 * Other results stay as they are.
 *
 * @param work returns for how many items it succeeded.
 * @throws ServiceError `unavailable`
 */
export async function applyTogether<Item extends Judged>(
  database: AuthDatabase,
  results: readonly PromiseSettledResult<Item>[],
  isDue: (item: Item) => boolean,
  work: (transaction: Transaction<AuthSchema>, group: readonly Item[], dialect: SqlDialect) => Promise<number>,
): Promise<readonly PromiseSettledResult<Item>[]> {
  const group = results.flatMap((result) =>
    result.status === "fulfilled" && isDue(result.value) ? [result.value] : [],
  );
  const settled = await allOrNone(database, group, (transaction) => work(transaction, group, database.dialect));
  return results.map((result) =>
    result.status === "fulfilled" && isDue(result.value) ? { ...result, value: { ...result.value, settled } } : result,
  );
}

/** Returns the value of a result. @throws the reason of a rejected one. */
export function fulfilledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** Returns the latest time in a group, which becomes the time of the whole group. */
export function latestTime(group: readonly { readonly nowMs: bigint }[]): bigint {
  let latest = 0n;
  for (const { nowMs } of group) if (nowMs > latest) latest = nowMs;
  return latest;
}
