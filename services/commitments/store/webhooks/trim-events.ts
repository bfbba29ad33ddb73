import type { CommitmentsDatabase } from "../sql/schema.ts";

/** The most events of a sale that are kept, of whatever age. */
export const MAX_EVENTS = 1_000;

/** Deletes the oldest events of sales that have more than `MAX_EVENTS`, with their deliveries. */
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
    signal.throwIfAborted();
    await trimSale(database, sale);
  }
}

async function trimSale(database: CommitmentsDatabase, sale: Uint8Array): Promise<void> {
  const key = Buffer.from(sale);
  await database.write(async (transaction) => {
    const oldestKept = await transaction
      .selectFrom("webhook_event")
      .select("created_at_ms")
      .where("sale", "=", key)
      .orderBy("created_at_ms", "desc")
      .limit(1)
      .offset(MAX_EVENTS - 1)
      .executeTakeFirst();
    if (oldestKept === undefined) return;
    const { created_at_ms: cutoff } = oldestKept;
    await transaction
      .deleteFrom("webhook_delivery")
      .where("sale", "=", key)
      .where("event_at_ms", "<", cutoff)
      .execute();
    await transaction.deleteFrom("webhook_event").where("sale", "=", key).where("created_at_ms", "<", cutoff).execute();
  });
}
