import { sql } from "kysely";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { GIVE_UP_AFTER_MS, REPLAY_WINDOW_MS } from "../base/domain/lifetimes.ts";
import { bigintOf } from "../base/encoding.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, WebhookReplayTable } from "../base/schema.ts";
import { TEST_EVENT } from "../outbox/sale-event.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

const REPLAY_TARGET = tableTarget<WebhookReplayTable>("webhook_replay", {
  sale: "key",
  since_ms: "value",
  events: "value",
});

/** Reads what was last counted of a sale's replays. Its row must be locked. */
export async function readReplayed(transaction: Tx, saleUuid: string): Promise<ReplayedInHour | undefined> {
  const row = await transaction
    .selectFrom("webhook_replay")
    .select(["since_ms", "events"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row && { sinceMillis: bigintOf(row.since_ms), events: Number(row.events) };
}

export async function storeReplayed(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  { sinceMillis, events }: ReplayedInHour,
): Promise<void> {
  const row = { sale: bytesOfHex(saleUuid), since_ms: sinceMillis, events: BigInt(events) };
  await upsertRows(transaction, dialect, REPLAY_TARGET, [row]);
}

/** One event, or all events of a sale from a time on, in milliseconds since 1970; tests aside. */
export type ReplayedEvents = { readonly eventUuid: string } | { readonly sinceMillis: bigint };

/**
 * Has events attempted at once at an endpoint, as if they had just happened: for another day.
 *
 * @returns how many
 * @throws ServiceError `not_found` for an event that the sale doesn't have
 */
export async function replayDeliveries(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  { uuid, saleUuid }: WebhookEndpoint,
  replayed: ReplayedEvents,
  nowMillis: bigint,
): Promise<number> {
  const [endpoint, sale] = [bytesOfHex(uuid), bytesOfHex(saleUuid)];
  const chosen =
    "eventUuid" in replayed
      ? sql`event = ${bytesOfHex(replayed.eventUuid)}`
      : sql`created_at_ms >= ${replayed.sinceMillis} and type <> ${TEST_EVENT}`;
  const giveUpAt = nowMillis + GIVE_UP_AFTER_MS;
  const clause = sql.raw(
    dialect.upsertClause(["endpoint", "event"], ["status", "attempts", "next_attempt_ms", "give_up_at_ms"]),
  );
  const count = await sql<{ events: bigint | number }>`
    select count(*) as events from webhook_event where sale = ${sale} and ${chosen}`.execute(transaction);
  const events = Number(count.rows[0]?.events ?? 0);
  if (events === 0 && "eventUuid" in replayed) throw eventMissing(replayed.eventUuid);
  await sql`
    insert into webhook_delivery (endpoint, event, sale, event_at_ms, status, attempts, next_attempt_ms, give_up_at_ms)
    select ${endpoint}, event, sale, created_at_ms, 'pending', 0, ${nowMillis}, ${giveUpAt}
    from webhook_event where sale = ${sale} and ${chosen} ${clause}`.execute(transaction);
  return events;
}

function eventMissing(eventUuid: string): ServiceError {
  return new ServiceError("not_found", `the sale has no event ${eventUuid}`);
}

/** The most events of a sale that are sent again in an hour, to all its endpoints together: all that is kept, to each of five. */
const MAX_REPLAYED_AN_HOUR = 5_000;

/** The number of events that were sent again in an hour. */
interface ReplayedInHour {
  /** The beginning of the hour, in milliseconds since 1970. */
  readonly sinceMillis: bigint;
  readonly events: number;
}

/**
 * Counts events that are sent again. An hour begins with the first of them.
 *
 * @param before what was counted last; undefined for nothing
 * @throws ServiceError `resource_exhausted` if they are too many for the hour
 */
export function countReplayed(before: ReplayedInHour | undefined, events: number, nowMillis: bigint): ReplayedInHour {
  const isOver = before === undefined || nowMillis - before.sinceMillis >= REPLAY_WINDOW_MS;
  const counted = isOver ? { sinceMillis: nowMillis, events } : { ...before, events: before.events + events };
  if (counted.events <= MAX_REPLAYED_AN_HOUR) return counted;
  const message = `a sale may send ${MAX_REPLAYED_AN_HOUR} events again an hour; try again later`;
  const retryAfterSeconds = Math.max(1, Math.ceil(Number(counted.sinceMillis + REPLAY_WINDOW_MS - nowMillis) / 1_000));
  throw new ServiceError("resource_exhausted", message, { retryAfterSeconds });
}
