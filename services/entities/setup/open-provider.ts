import { createHmac, randomBytes } from "node:crypto";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requireCountryCode } from "../../../common/platform/names/country.ts";
import type { EntityTypeName } from "../base/entity.ts";
import type { IdentityConfig, VendorConfig, VendorProtocol } from "../base/identity-config.ts";
import type { IdentityProvider, LivenessPage, LivenessSubject } from "../base/identity-provider.ts";
import { START_URL_LIFETIME_S } from "../base/lifetimes.ts";

/** Returns the identity provider of a deployment. @param issuer `AUTH_URL` */
export function openProvider({ provider, vendor }: IdentityConfig, issuer: string): IdentityProvider {
  if (vendor !== undefined) return webhookProvider(vendor);
  return provider === "demo" ? demoProvider(issuer) : reviewProvider(issuer);
}

/** The user chooses the result. @param issuer `AUTH_URL` */
function demoProvider(issuer: string): IdentityProvider {
  return {
    name: "demo",
    begin: () => ({ state: "in_progress" }),
    livenessPage: (subject) => ownLivenessPage(issuer, subject),
  };
}

/** The user declares the country, and a reviewer of the deployment decides. @param issuer `AUTH_URL` */
function reviewProvider(issuer: string): IdentityProvider {
  return {
    name: "review",
    begin(_entity, country) {
      if (country === "") {
        throw invalidArgument([{ field: "country", rule: "country.required", message: "must be given for a review" }]);
      }
      requireCountryCode("country", country);
      return { state: "ready_for_review", country, submitted: true };
    },
    livenessPage: (subject) => ownLivenessPage(issuer, subject),
  };
}

/** Makes the page of this deployment on which a person confirms to be present, by a recent sign-in. @param issuer `AUTH_URL` */
function ownLivenessPage(issuer: string, { saleUuid, publicUuid }: LivenessSubject): LivenessPage {
  const url = new URL("/account/liveness", issuer);
  url.searchParams.set("sale", saleUuid);
  url.searchParams.set("entity", publicUuid);
  return { url: url.href };
}

const HANDLE_BYTES = 32;

/** The parameters of a start URL that depend on the check. */
interface StartParameters {
  readonly handle: string;
  readonly type: EntityTypeName;
  readonly purpose: "setup" | "liveness";
}

/** A vendor checks identities at a page of its own, and says what came of it by callbacks. */
function webhookProvider(vendor: VendorConfig): IdentityProvider {
  const startUrl = (type: EntityTypeName, purpose: StartParameters["purpose"], nowMs: bigint) => {
    const handle = randomBytes(HANDLE_BYTES).toString("base64url");
    return { handle, url: START_URLS[vendor.protocol](vendor, { handle, type, purpose }, nowMs) };
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

/** How the address of the page is made to which a user is sent. */
const START_URLS: Readonly<Record<VendorProtocol, typeof signedStartUrl>> = {
  "standard-webhooks": signedStartUrl,
  persona: hostedFlowUrl,
};

/**
 * The hosted flow of Persona, with the handle as its reference ID.
 *
 * @throws ServiceError `failed_precondition` for an organization: the identity document of a person says nothing about it
 */
function hostedFlowUrl({ startUrl }: VendorConfig, { handle, type }: StartParameters): string {
  if (type === "person") return `${startUrl}&${new URLSearchParams({ "reference-id": handle })}`;
  throw new ServiceError("failed_precondition", "organizations can't be checked in this deployment");
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
