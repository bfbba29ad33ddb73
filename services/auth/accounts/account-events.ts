import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Selectable } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuditTable, AuthSchema } from "../base/schema.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireSession } from "../sessions/require-session.ts";

const MAX_EVENTS = 1_000;

export function listAccountEvents(context: AuthContext): ServiceImpl<typeof AccountService>["listAccountEvents"] {
  return async ({ sessionToken }) => {
    const { accountUuid } = await requireSession(context, sessionToken);
    const rows = await context.database.read((query) => readEvents(query, accountUuid));
    return { events: rows.map((row) => eventOfRow(row, accountUuid)) };
  };
}

/** Returns what the audit table has about an account, the newest first. */
function readEvents(query: Kysely<AuthSchema>, accountUuid: string): Promise<Selectable<AuditTable>[]> {
  return query
    .selectFrom("audit")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .orderBy("at_ms", "desc")
    .orderBy("event_id", "desc")
    .limit(MAX_EVENTS)
    .execute();
}

function eventOfRow({ at_ms, event, client, sale, details }: Selectable<AuditTable>, accountUuid: string) {
  return {
    at: timestampOf(BigInt(at_ms)),
    event,
    clientUuid: client === null ? "" : uuidFromBytes(client),
    saleUuid: sale === null ? "" : uuidFromBytes(sale),
    address: addressOf(JSON.parse(details), event, accountUuid),
  };
}

/** An event about a member of a sale names the member's account, and the address of the founder who made the change. */
function addressOf(details: { readonly address?: unknown; readonly by?: unknown }, event: string, accountUuid: string) {
  const { address, by } = details;
  const isOwn = event !== "member.changed" || by === accountUuid;
  return isOwn && typeof address === "string" ? address : "";
}
