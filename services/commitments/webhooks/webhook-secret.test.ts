import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newSecret, secretText, signedHeaders } from "./webhook-secret.ts";

const request = { eventUuid: randomUUID(), sentAtMillis: BigInt(Date.now()), body: '{"type":"sale.opened"}' };

it("is verified by the library of Standard Webhooks with each of its secrets, and with no other", () => {
  const [current, previous] = [newSecret(), newSecret()];
  const headers = signedHeaders(request, [current, previous]);
  for (const secret of [current, previous]) {
    expect(new Webhook(secretText(secret)).verify(request.body, headers)).toEqual({ type: "sale.opened" });
  }
  expect(() => new Webhook(secretText(newSecret())).verify(request.body, headers)).toThrow("No matching signature");
  expect(() => new Webhook(secretText(current)).verify(`${request.body} `, headers)).toThrow("No matching signature");
  const late = { ...request, sentAtMillis: request.sentAtMillis - 301_000n };
  expect(() => new Webhook(secretText(current)).verify(request.body, signedHeaders(late, [current]))).toThrow(
    "too old",
  );
});

it("has 32 random bytes after whsec_", () => {
  expect(secretText(newSecret())).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toEqual(newSecret());
});
