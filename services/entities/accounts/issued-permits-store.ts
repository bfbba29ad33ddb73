import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { PermitRange } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Returns the rows of the permits of entities, the newest first. */
export function readIssuedPermits(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  { sinceMs, limit }: PermitRange,
) {
  return query
    .selectFrom("permit")
    .select(["sale", "entity", "kind", "wallet", "client", "issued_at_ms", "expires_at_ms"])
    .where("entity", "in", entityUuids.map(bytesOfHex))
    .where("issued_at_ms", ">=", sinceMs)
    .orderBy("issued_at_ms", "desc")
    .orderBy("permit", "desc")
    .limit(limit)
    .execute();
}
