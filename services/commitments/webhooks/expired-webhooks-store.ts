import { sql } from "kysely";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { LIFECYCLE_EVENTS } from "../outbox/sale-event.ts";
import { deleteWebhooks } from "./endpoint-rows.ts";
import { lockSaleRow } from "./lock-webhook-sale-store.ts";

/** The most events of a sale that are kept, of whatever age. */
export const MAX_EVENTS = 1_000;
/** Events that one transaction deletes. */
const BATCH = 500;

/**
 * Deletes events of sales that have more than `MAX_EVENTS`, with their deliveries: the oldest faults and tests first, then the oldest
 * others, and those that wait for an attempt only if there is nothing else.
 */
export async function trimEvents(database: CommitmentsDatabase, signal: AbortSignal): Promise<void> {
  const crowded = await database.read((connection) =>
    connection
      .selectFrom("webhook_event")
      .select("sale")
      .groupBy("sale")
      .having(({ fn }) => fn.countAll(), ">", MAX_EVENTS)
      .execute(),
  );
  for (const { sale } of crowded) {
    do signal.throwIfAborted();
    while (await trimSome(database, Buffer.from(sale)));
  }
}

/** @returns whether there may be more to delete */
async function trimSome(database: CommitmentsDatabase, sale: Buffer): Promise<boolean> {
  return database.write(async (transaction) => {
    // Whoever has an event sent again locks the sale, too.
    await lockSaleRow(database, transaction, sale);
    const excess = (await countEvents(transaction, sale)) - MAX_EVENTS;
    if (excess <= 0) return false;
    const events = await expendable(transaction, sale, Math.min(excess, BATCH));
    for (const table of ["webhook_delivery", "webhook_event"] as const) {
      await transaction.deleteFrom(table).where("sale", "=", sale).where("event", "in", events).execute();
    }
    return excess > BATCH;
  });
}

async function countEvents(transaction: Tx, sale: Buffer): Promise<number> {
  const row = await transaction
    .selectFrom("webhook_event")
    .select(({ fn }) => fn.countAll<bigint | number>().as("events"))
    .where("sale", "=", sale)
    .executeTakeFirstOrThrow();
  return Number(row.events);
}

/** Reads the events that are missed least. */
async function expendable(transaction: Tx, sale: Buffer, limit: number): Promise<Buffer[]> {
  const waits = sql`exists (select 1 from webhook_delivery where webhook_delivery.sale = webhook_event.sale
    and event_at_ms = created_at_ms and webhook_delivery.event = webhook_event.event and status = 'pending')`;
  const rows = await transaction
    .selectFrom("webhook_event")
    .select("event")
    .where("sale", "=", sale)
    .orderBy(sql`case when ${waits} then 1 else 0 end`)
    .orderBy(sql`case when type in (${sql.join([...LIFECYCLE_EVENTS])}) then 1 else 0 end`)
    .orderBy("created_at_ms")
    .orderBy("event")
    .limit(limit)
    .execute();
  return rows.map(({ event }) => Buffer.from(event));
}

/**
 * Deletes the webhooks of sales that are withdrawn or gone. Whoever removes a sale does that at once; only a process of the version
 * before, during an upgrade, leaves some behind.
 */
export async function deleteOrphanedWebhooks(database: CommitmentsDatabase, signal: AbortSignal): Promise<void> {
  for (const table of ["webhook_endpoint", "webhook_event"] as const) {
    const orphaned = await database.read((connection) =>
      connection
        .selectFrom(table)
        .leftJoin("sale_state", "sale_state.sale", `${table}.sale`)
        .select(`${table}.sale as sale`)
        .distinct()
        .where((each) => each.or([each("status", "is", null), each("status", "=", "withdrawn")]))
        .execute(),
    );
    for (const { sale } of orphaned) {
      signal.throwIfAborted();
      await database.write((transaction) => deleteWebhooks(transaction, hexOfBytes(sale)));
    }
  }
}
