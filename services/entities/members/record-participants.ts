import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { recordChange } from "../authority/sale-access.ts";
import type { EntitiesContext, RecentRecords } from "../base/context.ts";
import { SAME_IMPORT_MS } from "../base/lifetimes.ts";

/** A change of who is listed for a sale, in words. */
export interface ParticipantChange {
  readonly field: "Members" | "Deny list";
  readonly action: "import" | "removal";
  /** The number before the change. */
  readonly before: bigint;
}

const MAX_REMEMBERED = 10_000;

export function recentRecords(): RecentRecords {
  return new LRUCache({ ...atMost(MAX_REMEMBERED), ttl: SAME_IMPORT_MS });
}

/** Records in the sale's activity log that somebody is about to change a list; once in ten minutes for each kind of change. */
export async function recordParticipants(
  dependencies: Pick<EntitiesContext, "memberships" | "recentRecords">,
  principal: Principal,
  saleUuid: string,
  { field, action, before }: ParticipantChange,
): Promise<void> {
  const person = principal.kind === "person" ? principal.accountUuid : "operator";
  const key = `${saleUuid} ${person} ${field} ${action}`;
  if (dependencies.recentRecords.get(key)) return;
  const after = action === "import" ? "being imported" : "being removed";
  await recordChange(dependencies, principal, saleUuid, "participants", [{ field, before: `${before}`, after }]);
  dependencies.recentRecords.set(key, true);
}
