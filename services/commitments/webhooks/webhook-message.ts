import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type WebhookDelivery as WebhookDeliveryMessage,
  WebhookDeliverySchema,
  WebhookDeliveryStatus,
  WebhookDisabling,
  type WebhookEndpoint as WebhookEndpointMessage,
  WebhookEndpointSchema,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { DeliveryStatus, LoggedDelivery } from "./delivery-rows.ts";
import type { Disabling, WebhookEndpoint } from "./webhook-endpoint.ts";

const DISABLINGS: Readonly<Record<Disabling, WebhookDisabling>> = {
  member: WebhookDisabling.BY_MEMBER,
  failures: WebhookDisabling.FAILURES,
  gone: WebhookDisabling.GONE,
};
const STATUSES: Readonly<Record<DeliveryStatus, WebhookDeliveryStatus>> = {
  pending: WebhookDeliveryStatus.PENDING,
  delivered: WebhookDeliveryStatus.DELIVERED,
  given_up: WebhookDeliveryStatus.GIVEN_UP,
};

export function endpointMessage(endpoint: WebhookEndpoint): WebhookEndpointMessage {
  const { uuid, url, createdAtMillis, disabled, failingSinceMillis, previousSecretUntilMillis } = endpoint;
  const fields: MessageInitShape<typeof WebhookEndpointSchema> = {
    endpointUuid: uuid,
    url,
    createdAt: timeOf(createdAtMillis),
    ...(disabled && { disabledAt: timeOf(disabled.atMillis), disabling: DISABLINGS[disabled.why] }),
    ...(failingSinceMillis !== undefined && { failingSince: timeOf(failingSinceMillis) }),
    ...(previousSecretUntilMillis !== undefined && { previousSecretUntil: timeOf(previousSecretUntilMillis) }),
  };
  return create(WebhookEndpointSchema, fields);
}

export function deliveryMessage(delivery: LoggedDelivery): WebhookDeliveryMessage {
  const { lastAttemptMillis, nextAttemptMillis } = delivery;
  return create(WebhookDeliverySchema, {
    endpointUuid: delivery.endpointUuid,
    eventUuid: delivery.eventUuid,
    eventType: delivery.type,
    eventAt: timeOf(delivery.eventAtMillis),
    status: STATUSES[delivery.status],
    attempts: delivery.attempts,
    lastHttpStatus: delivery.lastHttpStatus ?? 0,
    lastFailure: delivery.lastFailure,
    ...(lastAttemptMillis !== undefined && { lastAttemptAt: timeOf(lastAttemptMillis) }),
    ...(nextAttemptMillis !== undefined && { nextAttemptAt: timeOf(nextAttemptMillis) }),
  });
}

function timeOf(millis: bigint) {
  return timestampFromMs(Number(millis));
}
