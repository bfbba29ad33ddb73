import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { deleteWebhooks } from "./endpoint-rows.ts";

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
