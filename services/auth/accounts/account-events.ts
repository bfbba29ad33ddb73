import type { ServiceImpl } from "@connectrpc/connect";
import type { Selectable } from "kysely";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuditTable } from "../base/schema.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireSession } from "../sessions/require-session.ts";
import { readAccountEvents } from "./account-events-store.ts";

export function listAccountEvents(context: AuthContext): ServiceImpl<typeof AccountService>["listAccountEvents"] {
  return async ({ sessionToken }) => {
    const { accountUuid } = await requireSession(context, sessionToken);
    const rows = await context.database.read((query) => readAccountEvents(query, accountUuid));
    return { events: rows.map((row) => eventOfRow(row, accountUuid)) };
  };
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
