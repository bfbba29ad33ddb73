import type { Kysely } from "kysely";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import type { AuthSchema } from "../base/schema.ts";
import { requireRecentRole, requireRole } from "../memberships/require-role.ts";

/**
 * Checks that a person may change a client of a sale: as an editor or, for redirect URIs, as an owner with a recent
 * sign-in, because redirect URIs decide where users are sent.
 *
 * @param actor undefined for an operator, who may do everything
 * @throws ServiceError as `requireRole` and `requireRecentRole` do
 */
export async function requireChanger(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuid: string,
  { redirectUris, nowMs }: { readonly redirectUris: boolean; readonly nowMs: bigint },
): Promise<void> {
  if (redirectUris) await requireRecentRole(query, actor, saleUuid, "owner", nowMs);
  else await requireRole(query, actor, saleUuid, "editor");
}
