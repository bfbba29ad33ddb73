import type { CompiledQuery, Kysely, Selectable } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { boundedChanges, type SettingChange } from "../../../common/sale/words/setting-change.ts";
import { pooledRandomBytes } from "../base/pooled-random.ts";
import type { AuditTable, AuthSchema } from "../base/schema.ts";
import type { AuditEvent } from "./audit-event.ts";

/** A security event: something that an operator or a founder may want to look up later. */
export interface SecurityEvent {
  readonly event: AuditEvent;
  readonly accountUuid?: string | undefined;
  readonly clientUuid?: string | undefined;
  readonly saleUuid?: string | undefined;
  /** Contains neither secrets nor e-mail addresses. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** The settings that changed, as people read them. */
  readonly changes?: readonly SettingChange[];
}

const AUDIT = tableTarget<AuditTable>("audit", {
  event_id: "key",
  at_ms: "value",
  event: "value",
  account: "value",
  client: "value",
  sale: "value",
  details: "value",
});
const MAX_DETAIL_CHARACTERS = 512;
const RANDOM_BYTES = 10;

/** Records a security event. Call it in the transaction of the change, so that both are committed or neither is. */
export async function recordEvent(query: Kysely<AuthSchema>, event: SecurityEvent, nowMs: bigint): Promise<void> {
  await query.insertInto("audit").values(rowOf(event, nowMs)).execute();
}

/** Builds the statement that records several events at once. @param events at least one */
export function eventsStatement(dialect: SqlDialect, events: readonly SecurityEvent[], nowMs: bigint): CompiledQuery {
  return insertStatement(
    dialect,
    AUDIT,
    events.map((event) => rowOf(event, nowMs)),
  );
}

function rowOf(event: SecurityEvent, nowMs: bigint): AuditTable {
  return {
    event_id: eventId(nowMs),
    at_ms: nowMs,
    event: event.event,
    account: optionalBytes(event.accountUuid),
    client: optionalBytes(event.clientUuid),
    sale: optionalBytes(event.saleUuid),
    details: textOfDetails(event),
  };
}

/** An ID that rises with time, as a UUID of version 7 does (RFC 9562), so that new rows lie next to each other. */
function eventId(nowMs: bigint): Buffer {
  return Buffer.concat([timeOf(nowMs), pooledRandomBytes(RANDOM_BYTES)]);
}

/** Returns the lowest ID that an event of a time can have: all events since then have it or a higher one. */
export function firstEventId(ms: bigint): Buffer {
  return Buffer.concat([timeOf(ms), Buffer.alloc(RANDOM_BYTES)]);
}

function timeOf(ms: bigint): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(ms);
  return time.subarray(2);
}

function optionalBytes(uuid: string | undefined): Buffer | null {
  return uuid === undefined ? null : bytesOfHex(uuid);
}

function textOfDetails({ details = {}, changes = [] }: SecurityEvent): string {
  const bounded = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === "string" ? value.slice(0, MAX_DETAIL_CHARACTERS) : value,
  ]);
  return JSON.stringify({
    ...Object.fromEntries(bounded),
    ...(changes.length > 0 && { changes: boundedChanges(changes) }),
  });
}

export function expiredAuditRows(nowMs: bigint, retentionMs: bigint): ExpiredRows {
  return { table: "audit", ageColumn: "at_ms", cutoff: nowMs - retentionMs };
}

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
