import {
  type WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookDisabling,
  type WebhookEndpoint,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";

/** A state in words, and whether it is good. */
export interface WebhookState {
  readonly text: string;
  readonly tone: "good" | "bad" | "neutral";
}

const DISABLINGS: Readonly<Partial<Record<WebhookDisabling, string>>> = {
  [WebhookDisabling.BY_MEMBER]: "disabled",
  [WebhookDisabling.FAILURES]: "disabled, as all attempts have failed for too long",
  [WebhookDisabling.GONE]: "disabled, as it answered 410 Gone",
};

/** Says whether a webhook gets events. */
export function endpointState({ disabledAt, disabling, failingSince }: WebhookEndpoint): WebhookState {
  if (disabledAt !== undefined) return { text: DISABLINGS[disabling] ?? "disabled", tone: "bad" };
  return failingSince === undefined ? { text: "enabled", tone: "good" } : { text: "failing", tone: "bad" };
}

/** Says what has become of a delivery. */
export function deliveryState({ status, attempts }: WebhookDelivery): WebhookState {
  if (status === WebhookDeliveryStatus.DELIVERED) return { text: "delivered", tone: "good" };
  if (status === WebhookDeliveryStatus.GIVEN_UP) return { text: "given up", tone: "bad" };
  return attempts === 0 ? { text: "waiting", tone: "neutral" } : { text: "failed, tried again", tone: "bad" };
}

/** Says what the last attempt has brought; empty before the first one. The failure may name a host that somebody chose. */
export function answerText({ lastHttpStatus, lastFailure, lastAttemptAt }: WebhookDelivery): string {
  if (lastAttemptAt === undefined) return "";
  return lastHttpStatus === 0 ? lastFailure : `HTTP ${lastHttpStatus}`;
}
