import type { Transaction } from "kysely";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";

/** Somebody else was faster with one of the group. */
class IncompleteGroup extends Error {}

/**
 * Does something for a whole group in one transaction, or nothing at all.
 *
 * @param work returns for how many of the group it was possible.
 * @returns whether it is done.
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

/** What of a group wasn't refused. */
interface Judged {
  /** Nothing is left to be done for it. */
  readonly settled: boolean;
}

/**
 * Settles those of a group together that are due, or none of them; the others stay as they were judged.
 *
 * @param work returns for how many of those it was possible.
 * @throws ServiceError `unavailable`
 */
export async function applyTogether<Item extends Judged>(
  database: AuthDatabase,
  results: readonly PromiseSettledResult<Item>[],
  isDue: (item: Item) => boolean,
  work: (transaction: Transaction<AuthSchema>, group: readonly Item[]) => Promise<number>,
): Promise<readonly PromiseSettledResult<Item>[]> {
  const group = results.flatMap((result) =>
    result.status === "fulfilled" && isDue(result.value) ? [result.value] : [],
  );
  const settled = await allOrNone(database, group, (transaction) => work(transaction, group));
  return results.map((result) =>
    result.status === "fulfilled" && isDue(result.value) ? { ...result, value: { ...result.value, settled } } : result,
  );
}

/** @throws what the result was refused with. */
export function fulfilledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** The time of a group is that of its last member. */
export function latest(group: readonly { readonly nowMs: bigint }[]): bigint {
  let last = 0n;
  for (const { nowMs } of group) if (nowMs > last) last = nowMs;
  return last;
}
