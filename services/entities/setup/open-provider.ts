import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import type { IdentityConfig } from "../base/identity-config.ts";
import type { IdentityProvider, LivenessPage, LivenessSubject } from "../base/identity-provider.ts";
import { webhookProvider } from "./webhook-provider.ts";

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
      if (country !== "") return { state: "ready_for_review", country, submitted: true };
      throw invalidArgument([{ field: "country", rule: "country.required", message: "must be given for a review" }]);
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
