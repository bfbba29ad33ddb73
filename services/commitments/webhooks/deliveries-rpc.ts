import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import type {
  ReplayWebhookEventsRequest,
  WebhookService,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { millisOf } from "../base/time-message.ts";
import { DELIVERY_KEY_DIGITS, deliveryKey, readDeliveries } from "./delivery-rows.ts";
import { keyOf } from "./endpoints-rpc.ts";
import type { ReplayedEvents } from "./replay-rows.ts";
import { replayEvents, sendTestEvent } from "./send-events.ts";
import { deliveryMessage } from "./webhook-message.ts";
import type { WebhooksContext } from "./webhooks.ts";
import { webhookCall } from "./webhooks.ts";

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
      const limit = pageSize(request.pageSize);
      const after = pageStart(request.pageToken, DELIVERY_KEY_DIGITS);
      const deliveries = await store.database.read((connection) =>
        readDeliveries(connection, saleUuid, { after, limit }),
      );
      return {
        deliveries: deliveries.map(deliveryMessage),
        nextPageToken: nextPageToken(deliveries, limit, deliveryKey),
      };
    },
  };
}

function replayedOf({ events }: ReplayWebhookEventsRequest): ReplayedEvents {
  if (events.case === "eventUuid") return { eventUuid: events.value.toLowerCase() };
  return { sinceMillis: millisOf(events.value) };
}
