import { createHmac } from "node:crypto";

/**
 * Returns the headers that prove who sends a request, by the rules of Standard Webhooks: an HMAC-SHA-256 over ID, time and
 * body.
 *
 * @param secret at least 24 bytes
 * @param id unique, so that the receiver can refuse a request that somebody sends again
 * @param nowSeconds Unix time
 */
export function signatureHeaders(
  secret: Uint8Array,
  id: string,
  nowSeconds: bigint,
  body: string,
): Readonly<Record<string, string>> {
  const mac = createHmac("sha256", secret).update(`${id}.${nowSeconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(nowSeconds), "webhook-signature": `v1,${mac}` };
}
