import { randomUUID } from "node:crypto";
import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { GIVE_UP_AFTER_MS } from "../base/domain/lifetimes.ts";
import type { WebhookEventTable } from "../base/schema.ts";
import { type EventFacts, eventBody } from "./event-body.ts";
import type { SaleEvent } from "./sale-event.ts";

const EVENT_TARGET = tableTarget<WebhookEventTable>("webhook_event", {
  event: "key",
  sale: "value",
  type: "value",
  created_at_ms: "value",
  body: "value",
});

/** An event with its UUID, before it is stored. */
export interface NewEvent {
  readonly eventUuid: string;
  readonly saleUuid: string;
  readonly type: SaleEvent["type"];
  readonly atMillis: bigint;
  readonly body: string;
}

/**
 * Builds the statements that store events with a delivery for each enabled endpoint of the sale. They belong into the transaction
 * of what the events are about.
 */
export function appendEvents(dialect: SqlDialect, events: readonly SaleEvent[], facts: EventFacts): CompiledQuery[] {
  return events.flatMap((event) => {
    const appended = newEvent(event, facts);
    return [insertEvent(dialect, appended), insertDeliveries(dialect, appended)];
  });
}

export function newEvent(event: SaleEvent, facts: EventFacts): NewEvent {
  const { saleUuid, nowMillis: atMillis } = facts;
  return { eventUuid: randomUUID(), saleUuid, type: event.type, atMillis, body: eventBody(event, facts) };
}

/** Builds the statement that stores an event, without deliveries. */
export function insertEvent(
  dialect: SqlDialect,
  { eventUuid, saleUuid, type, atMillis, body }: NewEvent,
): CompiledQuery {
  const keys = { event: bytesOfHex(eventUuid), sale: bytesOfHex(saleUuid) };
  return insertStatement(dialect, EVENT_TARGET, [{ ...keys, type, created_at_ms: atMillis, body }]);
}

/** Builds the statement that stores a delivery of an event for each enabled endpoint. */
function insertDeliveries(dialect: SqlDialect, { eventUuid, saleUuid, atMillis }: NewEvent): CompiledQuery {
  const bound = new BoundValues(dialect);
  const values = [
    bytesOfHex(eventUuid),
    bytesOfHex(saleUuid),
    atMillis,
    "pending",
    0,
    atMillis,
    atMillis + GIVE_UP_AFTER_MS,
  ].map((value) => bound.one(value));
  const text =
    "insert into webhook_delivery (endpoint, event, sale, event_at_ms, status, attempts, next_attempt_ms, give_up_at_ms)" +
    ` select endpoint, ${values.join(", ")} from webhook_endpoint` +
    ` where sale = ${bound.one(bytesOfHex(saleUuid))} and disabled_at_ms is null`;
  return CompiledQuery.raw(text, bound.parameters);
}
