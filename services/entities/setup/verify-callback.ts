import { Webhook } from "standardwebhooks";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { VendorConfig } from "../base/identity-config.ts";

/** A callback as the gateway received it: the headers of Standard Webhooks, and the body. */
export interface ReceivedCallback {
  readonly webhookId: string;
  readonly webhookTimestamp: string;
  readonly webhookSignature: string;
  readonly body: Uint8Array;
}

/**
 * Checks that the vendor has signed a callback during the last five minutes, by the time of this process.
 *
 * @returns the body as text
 * @throws ServiceError `unauthenticated`
 */
export function verifyCallback({ secrets }: Pick<VendorConfig, "secrets">, received: ReceivedCallback): string {
  const headers = {
    "webhook-id": received.webhookId,
    "webhook-timestamp": received.webhookTimestamp,
    "webhook-signature": received.webhookSignature,
  };
  const text = textOf(received.body);
  if (text !== undefined && secrets.some((secret) => isSigned(secret, text, headers))) return text;
  throw new ServiceError("unauthenticated", "the signature of the callback is wrong, or its time");
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
