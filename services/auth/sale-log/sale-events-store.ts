import type { Kysely } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuditEvent } from "../audit/audit-event.ts";
import type { AuthSchema } from "../base/schema.ts";

/** The events that members of a sale may see: those about the sale, but none about its users. */
const SALE_EVENTS = [
  "sale.registered",
  "sale.changed",
  "sale.opening_admitted",
  "sale.settled",
  "sale.withdrawn",
  "sale.deleted",
  "participation.changed",
  "participants.changed",
  "permit_key.changed",
  "entity_freeze.changed",
  "webhooks.changed",
  "commitments.imported",
  "member.changed",
  "sale.passkey_rule_changed",
  "client.created",
  "client.changed",
  "client.logo_set",
  "client.disabled",
  "client.enabled",
] as const satisfies readonly AuditEvent[];

export type SaleEventName = (typeof SALE_EVENTS)[number];

/** An event about a sale, as the audit table has it. */
export interface SaleEventRecord {
  /** Hex. Later events have higher IDs. */
  readonly eventId: string;
  readonly atMs: bigint;
  readonly event: SaleEventName;
  readonly accountUuid: string | undefined;
  readonly clientUuid: string | undefined;
  /** The present name of the client. */
  readonly clientName: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Returns a page of a sale's events, the latest first.
 *
 * @param before the last event ID of the page before, hex; empty for the first page
 */
export async function readSaleEvents(
  query: Kysely<AuthSchema>,
  saleUuid: string,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<readonly SaleEventRecord[]> {
  const events = query
    .selectFrom("audit")
    .leftJoin("client", (join) =>
      join.onRef("client.client", "=", "audit.client").onRef("client.sale", "=", "audit.sale"),
    )
    .select(["event_id", "at_ms", "event", "account", "audit.client", "client.name as client_name", "details"])
    .where("audit.sale", "=", bytesOfHex(saleUuid))
    .where("event", "in", SALE_EVENTS)
    .orderBy("event_id", "desc")
    .limit(limit);
  const rows = await (before === "" ? events : events.where("event_id", "<", bytesOfHex(before))).execute();
  return rows.map(({ event_id, at_ms, event, account, client, client_name, details }) => ({
    eventId: hexOfBytes(event_id),
    atMs: BigInt(at_ms),
    event: event as SaleEventName,
    accountUuid: account === null ? undefined : uuidFromBytes(account),
    clientUuid: client === null ? undefined : uuidFromBytes(client),
    clientName: client_name ?? undefined,
    details: JSON.parse(details),
  }));
}
