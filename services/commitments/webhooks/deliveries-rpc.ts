import type { ServiceImpl } from "@connectrpc/connect";
import { executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type {
  ReplayWebhookEventsRequest,
  WebhookService,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { TESTS_WINDOW_MS } from "../base/domain/lifetimes.ts";
import type { Tx } from "../base/sale-rows.ts";
import { millisOf } from "../base/time-message.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { insertEvent, newEvent } from "../outbox/append-events.ts";
import { TEST_EVENT } from "../outbox/sale-event.ts";
import type { EndpointKey } from "./change-endpoint.ts";
import { countTests, countWaiting, DELIVERY_KEY_DIGITS, deliveryKey, readDeliveries } from "./delivery-rows.ts";
import { readEndpoint } from "./endpoint-rows.ts";
import { keyOf } from "./endpoints-rpc.ts";
import { lockWebhookSale } from "./lock-webhook-sale-store.ts";
import { countReplayed, type ReplayedEvents, readReplayed, replayDeliveries, storeReplayed } from "./replay-rows.ts";
import { requireEnabled, requireFewTests, requireFewWaiting } from "./webhook-endpoint.ts";
import { deliveryMessage } from "./webhook-message.ts";
import { type WebhooksContext, webhookCall } from "./webhooks.ts";

type DeliveryRpcs = Pick<
  ServiceImpl<typeof WebhookService>,
  "sendTestEvent" | "replayWebhookEvents" | "listWebhookDeliveries"
>;

/** The RPCs that send events and list what was sent. */
export function deliveryRpcs(dependencies: WebhooksContext): DeliveryRpcs {
  const { store } = dependencies;
  return {
    async sendTestEvent(request, context) {
      const { webhooks } = await webhookCall(dependencies, request, context);
      const eventUuid = await sendTestEvent(store, keyOf(request));
      webhooks.wake();
      return { eventUuid };
    },
    async replayWebhookEvents(request, context) {
      const { webhooks } = await webhookCall(dependencies, request, context);
      const deliveries = await replayEvents(store, keyOf(request), replayedOf(request));
      webhooks.wake();
      return { deliveries };
    },
    async listWebhookDeliveries(request, context) {
      const { saleUuid } = await webhookCall(dependencies, request, context);
      const after = pageStart(request.pageToken, DELIVERY_KEY_DIGITS);
      const { items, nextPageToken } = await readPage(
        request.pageSize,
        (limit) => store.database.read((connection) => readDeliveries(connection, saleUuid, { after, limit })),
        (delivery) => tokenOf(deliveryKey(delivery)),
      );
      return { deliveries: items.map(deliveryMessage), nextPageToken };
    },
  };
}

function replayedOf({ events }: ReplayWebhookEventsRequest): ReplayedEvents {
  if (events.case === "eventUuid") return { eventUuid: events.value.toLowerCase() };
  return { sinceMillis: millisOf(events.value) };
}

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
