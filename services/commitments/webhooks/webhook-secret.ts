import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns the form of a secret in which a receiver enters it: `whsec_` and base64. */
export function secretText(secret: Uint8Array): string {
  return `${PREFIX}${Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength).toString("base64")}`;
}

/** Returns 32 random bytes. */
export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A request to an endpoint, before it is signed. */
export interface UnsignedRequest {
  readonly eventUuid: string;
  /** Milliseconds since 1970. */
  readonly sentAtMillis: bigint;
  readonly body: string;
}

/**
 * Returns the headers of Standard Webhooks. Each secret gives a signature; a receiver needs only one of them.
 *
 * @param secrets at least one
 */
export function signedHeaders({ eventUuid, sentAtMillis, body }: UnsignedRequest, secrets: readonly Uint8Array[]) {
  const sentAt = new Date(Number(sentAtMillis));
  return {
    "webhook-id": eventUuid,
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secretText(secret)).sign(eventUuid, sentAt, body))
      .join(" "),
  };
}
