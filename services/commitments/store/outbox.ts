import { CompiledQuery } from "kysely";
import { selectByKeys } from "../../shared/db/by-keys.ts";
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
  const traceParent = trace === undefined ? null : formatTraceParent(trace);
  const sale = bytesOfHex(saleUuid);
  const row = [sale, revision, bytesOfHex(generation), nowMillis, null, bufferOf(event), traceParent];
  if (writeToken === undefined) return insertStatement(dialect, OUTBOX_TARGET, [row]);
  const generationOfRow = { table: "sale_state", columns: ["generation"], where: { sale }, key: "write_token" };
  const { sql: text, parameters } = selectByKeys(dialect, generationOfRow, [writeToken]);
  const values = row.map((value) => dialect.valuesOf([[value]])).with(2, { text: `(${text})`, parameters });
  const columns = [...OUTBOX_TARGET.keys, ...OUTBOX_TARGET.values].join(", ");
  return CompiledQuery.raw(
    `insert into outbox (${columns}) values (${values.map((value) => value.text).join(", ")})`,
    values.flatMap((value) => value.parameters),
  );
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
