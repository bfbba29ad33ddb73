import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  WebhookDeliverySchema,
  WebhookDeliveryStatus,
  WebhookEndpointSchema,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { unpainted } from "../output/paint.ts";
import { deliveryTable, secretLines, webhookTable } from "./webhook-text.ts";

const at = timestampFromMs(Date.UTC(2026, 0, 31, 12));
const endpoint = create(WebhookEndpointSchema, {
  endpointUuid: "uuid",
  url: "https://a.example/\u202e",
  createdAt: at,
});

it("lists webhooks, with nothing in a URL that moves the cursor", () => {
  expect(webhookTable([endpoint], unpainted)).toBe(
    `UUID  URL                  STATE    CREATED               FAILING SINCE
uuid  https://a.example/\ufffd  enabled  2026-01-31T12:00:00Z  -`,
  );
});

it("lists what was sent, and what waits", () => {
  const sent = create(WebhookDeliverySchema, {
    endpointUuid: "uuid",
    eventUuid: "event",
    eventType: "sale.opened",
    eventAt: at,
    status: WebhookDeliveryStatus.PENDING,
    attempts: 2,
    lastAttemptAt: at,
    lastHttpStatus: 503,
    nextAttemptAt: at,
  });
  expect(deliveryTable([sent], unpainted).split("\n")[1]?.split(/ {2,}/)).toEqual([
    "2026-01-31T12:00:00Z",
    "sale.opened",
    "event",
    "uuid",
    "failed, tried again",
    "2",
    "2026-01-31T12:00:00Z",
    "HTTP 503",
    "2026-01-31T12:00:00Z",
  ]);
});

it("shows a secret with the warning that it is the only time", () => {
  expect(secretLines(endpoint, "whsec_x")).toContain("secret   whsec_x  (it can't be shown again)");
});
