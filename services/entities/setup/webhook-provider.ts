import { createHmac, randomBytes } from "node:crypto";
import type { EntityTypeName } from "../base/entity.ts";
import type { VendorConfig } from "../base/identity-config.ts";
import type { IdentityProvider } from "../base/identity-provider.ts";
import { START_URL_LIFETIME_S } from "../base/lifetimes.ts";

const HANDLE_BYTES = 32;

/** The parameters of a start URL. */
interface StartParameters {
  readonly handle: string;
  readonly type: EntityTypeName;
  readonly purpose: "setup" | "liveness";
}

/** A vendor checks identities at a page of its own, and says what came of it by callbacks. */
export function webhookProvider(vendor: VendorConfig): IdentityProvider {
  const startUrl = (type: EntityTypeName, purpose: StartParameters["purpose"], nowMs: bigint) => {
    const handle = randomBytes(HANDLE_BYTES).toString("base64url");
    return { handle, url: signedStartUrl(vendor, { handle, type, purpose }, nowMs) };
  };
  return {
    name: "webhook",
    begin({ type }, _country, nowMs) {
      const { handle, url } = startUrl(type, "setup", nowMs);
      return { state: "in_progress", handle, startUrl: url };
    },
    livenessPage: ({ type }, nowMs) => startUrl(type, "liveness", nowMs),
  };
}

/**
 * The vendor's page with the parameters `handle`, `type`, `purpose` and `expires` (seconds since 1970), and `signature`:
 * HMAC-SHA-256 in base64url of these parameters as the URL has them, by the bytes of the first secret.
 */
function signedStartUrl(
  { startUrl, secrets: [secret = ""] }: VendorConfig,
  { handle, type, purpose }: StartParameters,
  nowMs: bigint,
): string {
  const expires = String(nowMs / 1_000n + START_URL_LIFETIME_S);
  const signed = new URLSearchParams({ handle, type, purpose, expires }).toString();
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(signed).digest("base64url");
  return `${startUrl}${startUrl.includes("?") ? "&" : "?"}${signed}&signature=${signature}`;
}
