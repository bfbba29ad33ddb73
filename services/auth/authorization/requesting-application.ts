import { findClient } from "../applications/applications-store.ts";
import type { RequestingApplication } from "../base/context.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { findAuthorizationRequest } from "./authorization-requests-store.ts";

/**
 * Finds the application whose authorization a browser has begun.
 *
 * @param authorizationHandle empty for none
 * @returns undefined where the authorization is unknown or belongs to another browser.
 */
export async function requestingApplication(
  database: AuthDatabase,
  authorizationHandle: string,
  browserToken: string,
): Promise<RequestingApplication | undefined> {
  if (authorizationHandle === "") return undefined;
  const pending = await database.read((query) => findAuthorizationRequest(query, authorizationHandle));
  if (pending === undefined || !opaqueTokenHash(browserToken).equals(pending.browserHash)) return undefined;
  const client = await findClient(database, pending.request.clientUuid);
  return client && { name: client.definition.name, saleName: client.saleName };
}
