import { type Kysely, sql } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase, CommitmentsSchema, WebhookDeliveryTable } from "../base/schema.ts";
import { TEST_EVENT } from "../outbox/sale-event.ts";

/** Hex digits of a delivery's place in the log: the time of its event, the event, the endpoint. */
export const DELIVERY_KEY_DIGITS = 16 + 32 + 32;

export function deliveryKey({ eventAtMillis, eventUuid, endpointUuid }: LoggedDelivery): string {
  const time = eventAtMillis.toString(16).padStart(16, "0");
  return `${time}${eventUuid}${endpointUuid}`.replaceAll("-", "");
}

/** Reads a page of a sale's log, the latest event first. @param after the key of the last one before; empty for none */
export async function readDeliveries(
  query: Kysely<CommitmentsSchema>,
  saleUuid: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly LoggedDelivery[]> {
  const all = query
    .selectFrom("webhook_delivery")
    .innerJoin("webhook_event", "webhook_event.event", "webhook_delivery.event")
    .selectAll("webhook_delivery")
    .select("type")
    .where("webhook_delivery.sale", "=", bytesOfHex(saleUuid))
    .orderBy("event_at_ms", "desc")
    .orderBy("webhook_delivery.event", "desc")
    .orderBy("endpoint", "desc")
    .limit(limit);
  const rows = await (after === "" ? all : all.where(isAfter(after))).execute();
  return rows.map(loggedDelivery);
}

function isAfter(key: string) {
  const time = BigInt(`0x${key.slice(0, 16)}`);
  const event = bytesOfHex(key.slice(16, 48));
  const endpoint = bytesOfHex(key.slice(48));
  return sql<boolean>`(event_at_ms < ${time} or (event_at_ms = ${time} and (webhook_delivery.event < ${event}
    or (webhook_delivery.event = ${event} and endpoint < ${endpoint}))))`;
}

function loggedDelivery(row: WebhookDeliveryTable & { readonly type: string }): LoggedDelivery {
  const { last_attempt_ms, last_http_status } = row;
  const status = row.status as DeliveryStatus;
  return {
    endpointUuid: uuidFromBytes(row.endpoint),
    eventUuid: uuidFromBytes(row.event),
    type: row.type,
    eventAtMillis: bigintOf(row.event_at_ms),
    status,
    attempts: Number(row.attempts),
    lastFailure: row.last_failure ?? "",
    ...(last_attempt_ms !== null && { lastAttemptMillis: bigintOf(last_attempt_ms) }),
    ...(last_http_status !== null && { lastHttpStatus: Number(last_http_status) }),
    ...(status === "pending" && { nextAttemptMillis: bigintOf(row.next_attempt_ms) }),
  };
}

/** Returns how many deliveries to an endpoint wait. */
export async function countWaiting(query: Kysely<CommitmentsSchema>, endpointUuid: string): Promise<number> {
  const row = await query
    .selectFrom("webhook_delivery")
    .select(({ fn }) => fn.countAll<bigint | number>().as("waiting"))
    .where("endpoint", "=", bytesOfHex(endpointUuid))
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return Number(row.waiting);
}

/** Returns how many test events of a sale there are from a time on, in milliseconds since 1970. */
export async function countTests(
  query: Kysely<CommitmentsSchema>,
  saleUuid: string,
  sinceMillis: bigint,
): Promise<number> {
  const row = await query
    .selectFrom("webhook_event")
    .select(({ fn }) => fn.countAll<bigint | number>().as("tests"))
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("created_at_ms", ">=", sinceMillis)
    .where("type", "=", TEST_EVENT)
    .executeTakeFirstOrThrow();
  return Number(row.tests);
}

/** The deliveries of all sales that wait. */
export interface DeliveryBacklog {
  readonly pending: number;
  /** The time for which the earliest one has been due; 0 if none is. In milliseconds. */
  readonly lateMillis: number;
}

export async function readDeliveryBacklog(database: CommitmentsDatabase): Promise<DeliveryBacklog> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("webhook_delivery")
      .select(({ fn }) => [fn.countAll<bigint | number>().as("pending"), fn.min("next_attempt_ms").as("earliest")])
      .select(database.dialect.nowMillis.as("now"))
      .where("status", "=", "pending")
      .executeTakeFirst(),
  );
  const earliest = row?.earliest ?? undefined;
  const lateMillis = row === undefined || earliest === undefined ? 0 : Number(BigInt(row.now) - BigInt(earliest));
  return { pending: Number(row?.pending ?? 0), lateMillis: Math.max(0, lateMillis) };
}

/** State of a delivery: it waits for an attempt, was answered 2xx, or isn't attempted any more. */
export type DeliveryStatus = "pending" | "delivered" | "given_up";

/** A delivery as the log shows it. */
export interface LoggedDelivery {
  readonly endpointUuid: string;
  readonly eventUuid: string;
  readonly type: string;
  /** Milliseconds since 1970, as all times here. */
  readonly eventAtMillis: bigint;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptMillis?: bigint;
  /** Absent if the last attempt got no answer. */
  readonly lastHttpStatus?: number;
  /** Why the last attempt got no answer; empty otherwise. */
  readonly lastFailure: string;
  /** Only while it is pending. */
  readonly nextAttemptMillis?: bigint;
}
