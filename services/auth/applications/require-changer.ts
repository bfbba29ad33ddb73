import type { Kysely } from "kysely";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { AuthSchema } from "../base/schema.ts";
import { requireRecentRole, requireRole } from "../memberships/require-role.ts";
import type { SensitiveChange } from "./definition/sensitive-change.ts";

/**
 * Checks that a person may change a client of a sale: as an editor, with a recent sign-in if e-mail addresses become
 * required, and for redirect URIs and weaker security as an owner with a recent sign-in.
 *
 * @param actor undefined for an operator, who may do everything
 * @throws ServiceError as `requireRole` and `requireRecentRole` do
 */
export async function requireChanger(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuid: string,
  { redirectUris, requiresEmail, weakerSecurity }: SensitiveChange,
  nowMs: bigint,
): Promise<void> {
  if (redirectUris || weakerSecurity) await requireRecentRole(query, actor, saleUuid, "owner", nowMs);
  else if (requiresEmail) await requireRecentRole(query, actor, saleUuid, "editor", nowMs);
  else await requireRole(query, actor, saleUuid, "editor");
}
