import type { Client } from "../applications/application.ts";
import { securityMessage } from "../applications/application-message.ts";
import { type ClientSecurity, DEFAULT_SECURITY } from "../applications/definition/application-security.ts";

/** A client that is ready for the opening of its sale, with some changes. */
export function sampleClient(change: Partial<Client> = {}): Client {
  return {
    uuid: "22222222-2222-4222-8222-222222222222",
    saleUuid: "11111111-1111-4111-8111-111111111111",
    saleName: "Sale",
    tenancy: "live",
    status: "active",
    definition: {
      name: "Portal",
      redirectUris: ["https://app.example/callback"],
      scopes: [
        { scope: "read_entities", required: true },
        { scope: "sale_eligibility_check", required: true },
        { scope: "contact_email", required: false },
      ],
      security: DEFAULT_SECURITY,
    },
    squareLogo: "aa".repeat(32),
    wideLogo: "bb".repeat(32),
    version: 3n,
    createdAtMs: 1_769_860_800_000n,
    ...change,
  };
}

/** The definition of `sampleClient`, with some changes. */
export function sampleDefinition(change: Partial<Client["definition"]> = {}): Client["definition"] {
  return { ...sampleClient().definition, ...change };
}

/** `sampleDefinition` in the form of a request. */
export function definitionInit(change: Partial<Client["definition"]> = {}) {
  const { name, redirectUris, scopes, security } = sampleDefinition(change);
  return { name, redirectUris: [...redirectUris], scopes: [...scopes], security: securityMessage(security) };
}

/** The default security settings, with some changes. */
export function sampleSecurity(change: Partial<ClientSecurity> = {}): ClientSecurity {
  return { ...DEFAULT_SECURITY, ...change };
}

/** Definition of an application of the tenancy `test` with a loopback redirect URI (RFC 8252 section 7.3). */
export const LOOPBACK_CLIENT = {
  uuid: "33333333-2222-4222-8222-222222222222",
  tenancy: "test",
  definition: sampleDefinition({ redirectUris: ["http://127.0.0.1/callback"] }),
} as const;
