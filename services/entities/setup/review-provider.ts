import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import type { IdentityProvider } from "../base/identity-provider.ts";
import { ownLivenessPage } from "./liveness-pages.ts";

/** The user declares the country, and a reviewer of the deployment decides. @param issuer `AUTH_URL` */
export function reviewProvider(issuer: string): IdentityProvider {
  return {
    name: "review",
    begin(_entity, country) {
      if (country !== "") return { state: "ready_for_review", country, submitted: true };
      throw invalidArgument([{ field: "country", rule: "country.required", message: "must be given for a review" }]);
    },
    livenessPage: (subject) => ownLivenessPage(issuer, subject),
  };
}
