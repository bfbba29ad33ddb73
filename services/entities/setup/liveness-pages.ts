import type { LivenessPage, LivenessSubject } from "../base/identity-provider.ts";

/** Makes the page of this deployment on which a person confirms to be present, by a recent sign-in. @param issuer `AUTH_URL` */
export function ownLivenessPage(issuer: string, { saleUuid, publicUuid }: LivenessSubject): LivenessPage {
  const url = new URL("/account/liveness", issuer);
  url.searchParams.set("sale", saleUuid);
  url.searchParams.set("entity", publicUuid);
  return { url: url.href };
}
