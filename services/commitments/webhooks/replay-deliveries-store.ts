import { sql } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { GIVE_UP_AFTER_MS } from "../outbox/retry-schedule.ts";
import { TEST_EVENT } from "../outbox/sale-event.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

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
