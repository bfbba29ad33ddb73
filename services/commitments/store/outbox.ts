import { bytesOfHex } from "../../shared/hex.ts";
import { formatTraceParent } from "../../shared/tracing/trace-context.ts";
import { recordedTrace } from "../../shared/tracing/tracing.ts";
import type { Tx } from "./sale-rows.ts";

export interface OutboxEntry {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
  readonly nowMillis: bigint;
  readonly event: Uint8Array;
}

/** Notes, in the transaction of the change itself, what the bus is to be told of a revision. */
export async function enqueueUpdate(transaction: Tx, entry: OutboxEntry): Promise<void> {
  const { buffer, byteOffset, byteLength } = entry.event;
  await transaction
    .insertInto("outbox")
    .values({
      sale: bytesOfHex(entry.saleUuid),
      revision: entry.revision,
      generation: bytesOfHex(entry.generation),
      created_at_ms: entry.nowMillis,
      published_at_ms: null,
      event: Buffer.from(buffer, byteOffset, byteLength),
      trace_parent: traceParent(),
    })
    .execute();
}

function traceParent(): string | null {
  const trace = recordedTrace();
  return trace === undefined ? null : formatTraceParent(trace);
}
