import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { entityOfRow } from "./entity-rows.ts";

/** Returns the entities of an account that an application sees, the earliest first. */
export async function readVisibleEntities(
  query: Kysely<EntitiesSchema>,
  accountUuid: string,
  clientUuid: string,
): Promise<readonly Entity[]> {
  const rows = await query
    .selectFrom("entity")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .where("entity", "not in", (hidden) =>
      hidden.selectFrom("hidden_entity").select("entity").where("client", "=", bytesOfHex(clientUuid)),
    )
    .orderBy("created_at_ms")
    .orderBy("entity")
    .execute();
  return rows.map(entityOfRow);
}
