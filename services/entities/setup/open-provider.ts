import type { IdentityConfig } from "../base/identity-config.ts";
import type { IdentityProvider } from "../base/identity-provider.ts";
import { demoProvider } from "./demo-provider.ts";
import { reviewProvider } from "./review-provider.ts";
import { webhookProvider } from "./webhook-provider.ts";

/** Returns the identity provider of a deployment. @param issuer `AUTH_URL` */
export function openProvider({ provider, vendor }: IdentityConfig, issuer: string): IdentityProvider {
  if (vendor !== undefined) return webhookProvider(vendor);
  return provider === "demo" ? demoProvider(issuer) : reviewProvider(issuer);
}
