import type { Kysely, Selectable } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuditTable, AuthSchema } from "../base/schema.ts";

const MAX_EVENTS = 1_000;

/** Returns what the audit table has about an account, the newest first. */
export function readAccountEvents(query: Kysely<AuthSchema>, accountUuid: string): Promise<Selectable<AuditTable>[]> {
  return query
    .selectFrom("audit")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("at_ms", "desc")
    .orderBy("event_id", "desc")
    .limit(MAX_EVENTS)
    .execute();
}
