import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { PeopleFixture, Person } from "./people-fixture.ts";

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;

/** Settings of a deployment where a vendor checks identities. */
export const VENDOR_SETTINGS = {
  IDENTITY_PROVIDER: "webhook",
  IDENTITY_START_URL: "https://vendor.example/start",
  IDENTITY_WEBHOOK_SECRET: SECRET,
};

/** A callback as the gateway passes it on. */
export interface SentCallback {
  readonly webhookId: string;
  readonly webhookTimestamp: string;
  readonly webhookSignature: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Signs a callback. @param sentAt now by default @param secret `SECRET` by default */
export function signedCallback(
  body: string,
  {
    webhookId = randomUUID(),
    sentAt = new Date(),
    secret = SECRET,
  }: { webhookId?: string; sentAt?: Date; secret?: string } = {},
): SentCallback {
  return {
    webhookId,
    webhookTimestamp: String(Math.floor(sentAt.getTime() / 1_000)),
    webhookSignature: new Webhook(secret).sign(webhookId, sentAt, body),
    body: Uint8Array.from(Buffer.from(body)),
  };
}

/** The body of a callback about a set-up that is complete. @param given replaces or adds fields */
export function callbackBody(
  { time }: { readonly time: Pick<PeopleFixture["time"], "now"> },
  given: object = {},
): string {
  const occurredAt = new Date(Number(time.now())).toISOString();
  return JSON.stringify({
    type: "setup.updated",
    state: "complete",
    country: "DE",
    reference: "ref-1",
    occurredAt,
    ...given,
  });
}

/** Begins the set-up of a person's entity. @returns its UUID and the handle of the start URL */
export async function beginAtVendor(person: Person): Promise<{ readonly entityUuid: string; readonly handle: string }> {
  const [existing] = (await person.entities.listEntities({})).entities;
  const entityUuid = (existing ?? (await person.createEntity())).uuid;
  const { startUrl } = await person.entities.beginSetup({ entityUuid });
  return { entityUuid, handle: new URL(startUrl).searchParams.get("handle") ?? "" };
}
