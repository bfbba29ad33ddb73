import type { CompiledQuery } from "kysely";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { formatTraceParent, type TraceContext } from "../../../common/platform/tracing/trace-context.ts";
import { recordedTrace } from "../../../common/platform/tracing/tracing.ts";
import type { CommitmentsDatabase, OutboxTable } from "../base/schema.ts";
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

interface OutboxEntry {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
  readonly nowMillis: bigint;
  readonly event: Uint8Array;
  /** The trace of the change, if it is traced. */
  readonly trace?: TraceContext | undefined;
}

/** An entry that isn't published yet: null is the column's default. */
const OUTBOX_TARGET = tableTarget<Omit<OutboxTable, "published_at_ms">>("outbox", {
  sale: "key",
  revision: "key",
  generation: "value",
  created_at_ms: "value",
  event: "value",
  trace_parent: "value",
});

/** Builds the statement that appends an entry. It belongs into the transaction of the change itself. */
export function insertUpdate({ dialect }: CommitmentsDatabase, entry: OutboxEntry): CompiledQuery {
  const { saleUuid, revision, generation, nowMillis, event, trace } = entry;
  const row = {
    sale: bytesOfHex(saleUuid),
    revision,
    generation: bytesOfHex(generation),
    created_at_ms: nowMillis,
    event: bufferOf(event),
    trace_parent: trace === undefined ? null : formatTraceParent(trace),
  };
  return insertStatement(dialect, OUTBOX_TARGET, [row]);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
