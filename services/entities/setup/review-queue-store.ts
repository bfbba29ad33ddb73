import type { Kysely, Transaction } from "kysely";
import type { EntitiesSchema } from "../base/schema.ts";

/** The one row of `review_queue`. */
const QUEUE = 1;

/** The queue of the reviewers, and when they were mailed about it. Times are milliseconds since 1970. */
export interface ReviewQueue {
  /** Entities that wait. */
  readonly waiting: number;
  /** When the one that waits longest was submitted; undefined if none waits. */
  readonly oldestMs: bigint | undefined;
  /** When reviewers have last decided about any entity, or asked; undefined before. */
  readonly decidedAtMs: bigint | undefined;
  /** Undefined before the first mail. */
  readonly mailedAtMs: bigint | undefined;
}

type Aggregate = bigint | number | string | null;

export async function readReviewQueue(query: Kysely<EntitiesSchema>): Promise<ReviewQueue> {
  const waiting = await query
    .selectFrom("entity")
    .select(({ fn }) => [
      fn.countAll<bigint | number | string>().as("waiting"),
      fn.min<Aggregate>("submitted_at_ms").as("oldest"),
    ])
    .where("submitted_at_ms", "is not", null)
    .executeTakeFirstOrThrow();
  const decided = await query
    .selectFrom("entity_audit")
    .select(({ fn }) => fn.max<Aggregate>("at_ms").as("at"))
    .executeTakeFirstOrThrow();
  const mailed = await query
    .selectFrom("review_queue")
    .select("mailed_at_ms")
    .where("queue", "=", QUEUE)
    .executeTakeFirst();
  return {
    waiting: Number(waiting.waiting),
    oldestMs: timeOf(waiting.oldest),
    decidedAtMs: timeOf(decided.at),
    mailedAtMs: timeOf(mailed?.mailed_at_ms ?? null),
  };
}

function timeOf(value: Aggregate): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}

/**
 * Notes that the reviewers are mailed, in the transaction that stores the mails.
 *
 * @param before when they were mailed before, as it was read
 * @returns whether no other process has done it meanwhile
 * @throws an error for which `isDuplicateKey` is true if another one does it for the first time
 */
export async function storeMailed(
  transaction: Transaction<EntitiesSchema>,
  before: bigint | undefined,
  nowMs: bigint,
): Promise<boolean> {
  if (before === undefined) {
    await transaction.insertInto("review_queue").values({ queue: QUEUE, mailed_at_ms: nowMs }).execute();
    return true;
  }
  const { numUpdatedRows } = await transaction
    .updateTable("review_queue")
    .set({ mailed_at_ms: nowMs })
    .where("queue", "=", QUEUE)
    .where("mailed_at_ms", "=", before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
