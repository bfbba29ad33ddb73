import type { RequestingApplication } from "../base/context.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { findRequestInBrowser } from "./authorization-requests-store.ts";

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
  const found = await findRequestInBrowser(database, authorizationHandle, "");
  if (found === undefined || !opaqueTokenHash(browserToken).equals(found.pending.browserHash)) return undefined;
  const { client } = found;
  return client && { name: client.definition.name, saleName: client.saleName };
}
