import { CompiledQuery } from "kysely";
import { BoundValues } from "../../shared/db/sql/bound-values.ts";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { formatTraceParent, type TraceContext } from "../../shared/tracing/trace-context.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";

export interface OutboxEntry {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
  readonly nowMillis: bigint;
  readonly event: Uint8Array;
  /** Of the change, where that is traced. */
  readonly trace?: TraceContext | undefined;
}

/**
 * Notes, in the transaction of the change itself, what the bus is to be told of a revision.
 *
 * @param writeToken of the sale's row, which the statement then fails without: there is no generation without a row
 */
export function insertUpdate(
  { dialect }: CommitmentsDatabase,
  entry: OutboxEntry,
  writeToken?: Uint8Array,
): CompiledQuery {
  const { saleUuid, revision, generation, nowMillis, event, trace } = entry;
  const sale = bytesOfHex(saleUuid);
  const bound = new BoundValues(dialect);
  const generationOfRow = (token: Uint8Array) =>
    `(select generation from sale_state where sale = ${bound.one(sale)} and write_token = ${bound.one(token)})`;
  const values = [
    bound.one(sale),
    bound.one(revision),
    writeToken === undefined ? bound.one(bytesOfHex(generation)) : generationOfRow(writeToken),
    bound.one(nowMillis),
    bound.one(bufferOf(event)),
    bound.one(trace === undefined ? null : formatTraceParent(trace)),
  ];
  const columns = "sale, revision, generation, created_at_ms, event, trace_parent";
  return CompiledQuery.raw(`insert into outbox (${columns}) values (${values.join(", ")})`, bound.parameters);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
