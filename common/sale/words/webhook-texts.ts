import {
  type WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookDisabling,
  type WebhookEndpoint,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";

/** States of webhooks and of their deliveries. The section `webhookState` of the pages has a text of the same name in each language. */
export const WEBHOOK_WORDS = {
  enabled: "enabled",
  failing: "failing",
  disabled: "disabled",
  stopped: "disabled, as all attempts have failed for too long",
  gone: "disabled, as it answered 410 Gone",
  delivered: "delivered",
  givenUp: "given up",
  waiting: "waiting",
  retrying: "failed, tried again",
} as const;

export type WebhookStateName = keyof typeof WEBHOOK_WORDS;

/** A state in words, and whether it is good. */
export interface WebhookState {
  readonly name: WebhookStateName;
  /** In English, for operators. */
  readonly text: string;
  readonly tone: "good" | "bad" | "neutral";
}

const DISABLINGS: Readonly<Partial<Record<WebhookDisabling, WebhookStateName>>> = {
  [WebhookDisabling.BY_MEMBER]: "disabled",
  [WebhookDisabling.FAILURES]: "stopped",
  [WebhookDisabling.GONE]: "gone",
};

/** Says whether a webhook gets events. */
export function endpointState({ disabledAt, disabling, failingSince }: WebhookEndpoint): WebhookState {
  if (disabledAt !== undefined) return stateOf(DISABLINGS[disabling] ?? "disabled", "bad");
  return failingSince === undefined ? stateOf("enabled", "good") : stateOf("failing", "bad");
}

/** Says what has become of a delivery. */
export function deliveryState({ status, attempts }: WebhookDelivery): WebhookState {
  if (status === WebhookDeliveryStatus.DELIVERED) return stateOf("delivered", "good");
  if (status === WebhookDeliveryStatus.GIVEN_UP) return stateOf("givenUp", "bad");
  return attempts === 0 ? stateOf("waiting", "neutral") : stateOf("retrying", "bad");
}

function stateOf(name: WebhookStateName, tone: WebhookState["tone"]): WebhookState {
  return { name, text: WEBHOOK_WORDS[name], tone };
}

/** Says what the last attempt has brought; empty before the first one. The failure may name a host that somebody chose. */
export function answerText({ lastHttpStatus, lastFailure, lastAttemptAt }: WebhookDelivery): string {
  if (lastAttemptAt === undefined) return "";
  return lastHttpStatus === 0 ? lastFailure : `HTTP ${lastHttpStatus}`;
}
