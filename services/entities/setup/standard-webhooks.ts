import { Webhook } from "standardwebhooks";
import type { VendorConfig } from "../base/identity-config.ts";
import { type CallbackReader, parseCallback, type ReceivedCallback, unsigned } from "./callback.ts";

/**
 * Reads a callback that a vendor, or a translator of the operator, has signed by the Standard Webhooks rules within the last five
 * minutes by the time of this process. Its body is ours (docs/entities.md).
 */
export const readStandardWebhook: CallbackReader = (vendor, received, nowMs) => ({
  messageId: received.webhookId,
  callback: parseCallback(verifiedBody(vendor, received), nowMs),
});

/** Returns the body as text. @throws ServiceError `unauthenticated` */
function verifiedBody({ secrets }: VendorConfig, received: ReceivedCallback): string {
  const headers = {
    "webhook-id": received.webhookId,
    "webhook-timestamp": received.webhookTimestamp,
    "webhook-signature": received.webhookSignature,
  };
  const text = textOf(received.body);
  if (text !== undefined && secrets.some((secret) => isSigned(secret, text, headers))) return text;
  throw unsigned();
}

function isSigned(secret: string, text: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(text, { ...headers }, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Undefined for bytes that aren't UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
