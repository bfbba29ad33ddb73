import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { FeedFault } from "../base/domain/feed-state.ts";
import { isPublic } from "../base/domain/sale-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, WebhookFaultTable } from "../base/schema.ts";
import { appendEvents } from "../outbox/append-events.ts";
import type { EventFigures } from "../outbox/event-body.ts";
import { eventsOfFault } from "../outbox/sale-event.ts";
import { lockSaleRow } from "./lock-webhook-sale-store.ts";

const FAULT_TARGET = tableTarget<WebhookFaultTable>("webhook_fault", { sale: "key", fault: "value" });

/** Reads the faults that the webhooks of sales were last sent, for the sales that have an enabled endpoint. */
export async function readSentFaults(
  database: CommitmentsDatabase,
): Promise<ReadonlyMap<string, FeedFault | undefined>> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("webhook_endpoint")
      .leftJoin("webhook_fault", "webhook_fault.sale", "webhook_endpoint.sale")
      .select(["webhook_endpoint.sale as sale", "fault"])
      .distinct()
      .where("disabled_at_ms", "is", null)
      .execute(),
  );
  return new Map(rows.map(({ sale, fault }) => [uuidFromBytes(sale), faultOf(fault)]));
}

export interface ObservedFault {
  readonly saleUuid: string;
  /** The fault of the sale's feed; undefined for none. */
  readonly fault: FeedFault | undefined;
  readonly nowMillis: bigint;
  /** Absent while the public sees none. */
  readonly figures: EventFigures | undefined;
}

/** Stores the fault that a sale's feed has now, and the events of what changed since the last one, in one transaction. */
export async function storeFault(
  database: CommitmentsDatabase,
  { saleUuid, fault, nowMillis, figures }: ObservedFault,
): Promise<void> {
  const { dialect } = database;
  await database.write(async (transaction) => {
    const found = await lockedSale(database, transaction, saleUuid);
    if (found === undefined) return;
    const sent = await sentFault(transaction, saleUuid);
    const { sale, state } = found;
    const facts = { saleUuid, nowMillis, definition: sale.definition, state, figures };
    await executeBatch(transaction, dialect, appendEvents(dialect, eventsOfFault(sent, fault), facts));
    await upsertRows(transaction, dialect, FAULT_TARGET, [{ sale: bytesOfHex(saleUuid), fault: fault ?? "" }]);
  });
}

/** Locks a sale against its withdrawal. @returns undefined for one that isn't public */
async function lockedSale(database: CommitmentsDatabase, transaction: Tx, saleUuid: string) {
  if (!(await lockSaleRow(database, transaction, bytesOfHex(saleUuid)))) return undefined;
  const found = await readSaleWithState(transaction, saleUuid);
  return isPublic(found.state) ? found : undefined;
}

async function sentFault(transaction: Tx, saleUuid: string): Promise<FeedFault | undefined> {
  const query = transaction.selectFrom("webhook_fault").select("fault").where("sale", "=", bytesOfHex(saleUuid));
  return faultOf((await query.executeTakeFirst())?.fault ?? null);
}

function faultOf(text: string | null): FeedFault | undefined {
  return text === null || text === "" ? undefined : (text as FeedFault);
}
