import {
  answerText,
  deliveryState,
  endpointState,
  type WebhookState,
} from "../../../common/sale/words/webhook-texts.ts";
import type {
  WebhookDelivery,
  WebhookEndpoint,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { timeText } from "../output/time-text.ts";

/** A table of the webhooks of a sale. */
export function webhookTable(endpoints: readonly WebhookEndpoint[], paint: Paint): string {
  const rows = endpoints.map((endpoint) => [
    endpoint.endpointUuid,
    terminalText(endpoint.url),
    painted(endpointState(endpoint), paint),
    timeText(endpoint.createdAt),
    timeText(endpoint.failingSince),
  ]);
  return alignColumns([headed(["UUID", "URL", "STATE", "CREATED", "FAILING SINCE"], paint), ...rows]);
}

/** A table of what was sent to webhooks. */
export function deliveryTable(deliveries: readonly WebhookDelivery[], paint: Paint): string {
  const rows = deliveries.map((delivery) => [
    timeText(delivery.eventAt),
    delivery.eventType,
    delivery.eventUuid,
    delivery.endpointUuid,
    painted(deliveryState(delivery), paint),
    String(delivery.attempts),
    timeText(delivery.lastAttemptAt),
    terminalText(answerText(delivery)) || "-",
    timeText(delivery.nextAttemptAt),
  ]);
  const header = [
    "EVENT AT",
    "TYPE",
    "EVENT",
    "WEBHOOK",
    "STATE",
    "ATTEMPTS",
    "LAST ATTEMPT",
    "ANSWER",
    "NEXT ATTEMPT",
  ];
  return alignColumns([headed(header, paint), ...rows]);
}

/** A webhook with its new secret. */
export function secretLines({ endpointUuid, url }: WebhookEndpoint, secret: string): string {
  return alignColumns([
    ["webhook", endpointUuid],
    ["URL", terminalText(url)],
    ["secret", `${secret}  (it can't be shown again)`],
  ]);
}

function headed(names: readonly string[], paint: Paint): string[] {
  return names.map((name) => paint("bold", name));
}

function painted({ text, tone }: WebhookState, paint: Paint): string {
  if (tone === "neutral") return text;
  return paint(tone === "good" ? "green" : "red", text);
}
