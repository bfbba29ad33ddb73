import type { CompiledQuery } from "kysely";
import { insertStatement } from "../../shared/db/upsert.ts";
import { bytesOfHex } from "../../shared/hex.ts";
import { formatTraceParent, type TraceContext } from "../../shared/tracing/trace-context.ts";
import type { CommitmentsDatabase } from "./schema.ts";

const OUTBOX_TARGET = {
  table: "outbox",
  keys: ["sale", "revision"],
  values: ["generation", "created_at_ms", "published_at_ms", "event", "trace_parent"],
};

export interface OutboxEntry {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
  readonly nowMillis: bigint;
  readonly event: Uint8Array;
  /** Of the change, where that is traced. */
  readonly trace?: TraceContext | undefined;
}

/** Notes, in the transaction of the change itself, what the bus is to be told of a revision. */
export function insertUpdate({ dialect }: CommitmentsDatabase, entry: OutboxEntry): CompiledQuery {
  const { saleUuid, revision, generation, nowMillis, event, trace } = entry;
  const traceParent = trace === undefined ? null : formatTraceParent(trace);
  const row = [bytesOfHex(saleUuid), revision, bytesOfHex(generation), nowMillis, null, bufferOf(event), traceParent];
  return insertStatement(dialect, OUTBOX_TARGET, [row]);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
