import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { TESTS_WINDOW_MS } from "../base/domain/lifetimes.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { insertEvent, newEvent } from "../outbox/append-events.ts";
import { TEST_EVENT } from "../outbox/sale-event.ts";
import type { EndpointKey } from "./change-endpoint.ts";
import { countTests, countWaiting } from "./delivery-rows.ts";
import { readEndpoint } from "./endpoint-rows.ts";
import { lockWebhookSale } from "./lock-sale-row-store.ts";
import { countReplayed } from "./replay-limit.ts";
import { type ReplayedEvents, readReplayed, replayDeliveries, storeReplayed } from "./replay-rows.ts";
import { requireEnabled, requireFewTests, requireFewWaiting } from "./webhook-endpoint.ts";

type Store = Pick<CommitmentsStore, "database">;

/**
 * Has events sent to an endpoint again.
 *
 * @returns how many
 * @throws ServiceError `not_found`, `failed_precondition`, `resource_exhausted`
 */
export async function replayEvents({ database }: Store, key: EndpointKey, replayed: ReplayedEvents): Promise<number> {
  const nowMillis = await database.nowMillis();
  return database.write(async (transaction) => {
    await lockWebhookSale(database, transaction, key.saleUuid);
    const endpoint = await sendable(transaction, key);
    const events = await replayDeliveries(database, transaction, endpoint, replayed, nowMillis);
    const counted = countReplayed(await readReplayed(transaction, key.saleUuid), events, nowMillis);
    await storeReplayed(database, transaction, key.saleUuid, counted);
    return events;
  });
}

/**
 * Sends a test event to an endpoint, and to no other of the sale.
 *
 * @returns the event's UUID
 * @throws ServiceError as `replayEvents`
 */
export async function sendTestEvent({ database }: Store, key: EndpointKey): Promise<string> {
  const { saleUuid } = key;
  const nowMillis = await database.nowMillis();
  return database.write(async (transaction) => {
    const { sale, state } = await lockWebhookSale(database, transaction, saleUuid);
    const endpoint = await sendable(transaction, key);
    requireFewTests(await countTests(transaction, saleUuid, nowMillis - TESTS_WINDOW_MS));
    const facts = { saleUuid, nowMillis, definition: sale.definition, state };
    const event = newEvent({ type: TEST_EVENT }, facts);
    await executeBatch(transaction, database.dialect, [insertEvent(database.dialect, event)]);
    await replayDeliveries(database, transaction, endpoint, event, nowMillis);
    return event.eventUuid;
  });
}

async function sendable(transaction: Tx, { saleUuid, endpointUuid }: EndpointKey) {
  const endpoint = await readEndpoint(transaction, saleUuid, endpointUuid);
  requireEnabled(endpoint);
  requireFewWaiting(await countWaiting(transaction, endpointUuid));
  return endpoint;
}
