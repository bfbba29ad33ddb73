import type { IdentityProvider } from "../base/identity-provider.ts";
import { ownLivenessPage } from "./liveness-pages.ts";

/** The user chooses the result. @param issuer `AUTH_URL` */
export function demoProvider(issuer: string): IdentityProvider {
  return {
    name: "demo",
    begin: () => ({ state: "in_progress" }),
    livenessPage: (subject) => ownLivenessPage(issuer, subject),
  };
}
