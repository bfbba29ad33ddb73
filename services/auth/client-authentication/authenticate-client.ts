import { randomUUID } from "node:crypto";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { ClientCredentials } from "./client-credentials.ts";
import { invalidAssertion, missingAssertion } from "./client-credentials.ts";
import { readClientKeys } from "./client-keys-store.ts";
import { verifyAssertion } from "./verify-assertion.ts";

/**
 * Authenticates a confidential client by its assertion, which is used up then. Takes two statements: one reads the keys, so that
 * a removed key counts no longer, the other stores the `jti`.
 *
 * @returns the UUID of the client
 * @throws OAuthError `invalid_client`, also without an assertion, and for a public client: it has no keys, so something is wrong
 *   with the application or with its registration.
 * @throws ServiceError `unavailable`
 */
export async function authenticateClient(
  { database, clock, issuer, usedJwtIds }: AuthContext,
  { clientUuid, assertion }: ClientCredentials,
): Promise<string> {
  if (clientUuid === undefined || assertion === undefined) throw missingAssertion();
  const client = await database.read((query) => readClientKeys(query, clientUuid));
  if (!client?.isActive) throw invalidAssertion("its client is unknown or disabled");
  if (!client.isConfidential) {
    throw new OAuthError("invalid_client", "the client is public: send client_id without client_assertion");
  }
  const expected = { clientUuid, issuer, nowMs: clock() };
  const { jwtId, expiresAtMs } = await verifyAssertion(assertion, client.keys, expected);
  // The ID tells a use whose stored row was acknowledged too late from another one.
  const use = { purpose: "client_assertion", owner: clientUuid, jwtId, expiresAtMs, requestId: randomUUID() } as const;
  const isFirst = await usedJwtIds.use(use);
  if (!isFirst) throw invalidAssertion("its jti was used before, and every request needs a new one");
  return clientUuid;
}
