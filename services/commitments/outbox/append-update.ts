import type { CompiledQuery } from "kysely";
import { recordedTrace } from "../../../common/platform/tracing/tracing.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { insertUpdate } from "./insert-update.ts";
import { type SaleUpdatedFacts, saleUpdatedEvent } from "./sale-updated-event.ts";
import type { UnpublishedUpdate } from "./unpublished-updates.ts";

export interface AppendedUpdate {
  /** Inserts the update; part of the transaction of the change itself. */
  readonly statement: CompiledQuery;
  /** The update to publish after the commit. */
  readonly update: UnpublishedUpdate;
}

/** Makes the event of a revision, and the statement that appends it to the outbox. */
export function appendUpdate(database: CommitmentsDatabase, facts: SaleUpdatedFacts): AppendedUpdate {
  const { saleUuid, nowMillis, state } = facts;
  const { generation, revision } = state;
  const update = { saleUuid, generation, revision, event: saleUpdatedEvent(facts), trace: recordedTrace() };
  return { update, statement: insertUpdate(database, { ...update, nowMillis }) };
}
