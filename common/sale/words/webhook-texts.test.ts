import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  WebhookDeliverySchema,
  WebhookDeliveryStatus,
  WebhookDisabling,
  WebhookEndpointSchema,
} from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { answerText, deliveryState, endpointState } from "./webhook-texts.ts";

const at = timestampNow();

it("says whether a webhook gets events, and why not", () => {
  const endpoint = (fields: object) => endpointState(create(WebhookEndpointSchema, fields)).text;
  expect(endpoint({})).toBe("enabled");
  expect(endpoint({ failingSince: at })).toBe("failing");
  expect(endpoint({ disabledAt: at, disabling: WebhookDisabling.BY_MEMBER })).toBe("disabled");
  expect(endpoint({ disabledAt: at, disabling: WebhookDisabling.FAILURES })).toContain("all attempts have failed");
  expect(endpoint({ disabledAt: at, disabling: WebhookDisabling.GONE, failingSince: at })).toContain("410 Gone");
});

it("says what has become of a delivery, and what its last attempt has brought", () => {
  const texts = (fields: object) => {
    const delivery = create(WebhookDeliverySchema, fields);
    return [deliveryState(delivery).text, answerText(delivery)];
  };
  const { PENDING, DELIVERED, GIVEN_UP } = WebhookDeliveryStatus;
  expect(texts({ status: PENDING })).toEqual(["waiting", ""]);
  expect(texts({ status: PENDING, attempts: 2, lastAttemptAt: at, lastFailure: "a.example has no address" })).toEqual([
    "failed, tried again",
    "a.example has no address",
  ]);
  expect(texts({ status: DELIVERED, attempts: 1, lastAttemptAt: at, lastHttpStatus: 204 })).toEqual([
    "delivered",
    "HTTP 204",
  ]);
  expect(texts({ status: GIVEN_UP, attempts: 9, lastAttemptAt: at, lastHttpStatus: 500 })).toEqual([
    "given up",
    "HTTP 500",
  ]);
});
