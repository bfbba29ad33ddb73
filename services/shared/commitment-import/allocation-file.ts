import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { CsvError, type Info, parse } from "csv-parse";
import type { AllocationSchema } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import { FieldReader, MAX_UINT256 } from "./field-reader.ts";
import { ImportError, unknownToken } from "./import-error.ts";

const COLUMNS = ["entity_id", "wallet", "token", "accepted"] as const;
const ENTITY_BYTES = 16;
const MAX_RECORD_CHARACTERS = 1_000;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** An allocation of a file, with its line. */
export interface ImportedAllocation {
  readonly line: number;
  readonly allocation: Exclude<MessageInitShape<typeof AllocationSchema>, { readonly $typeName: string }>;
}

/** Contents of a file, once all of it has been read and checked. */
export interface AllocationSummary {
  /** Those of zero are left out. */
  readonly allocations: bigint;
  readonly entities: bigint;
  /** Sums by token as first written, in its smallest units. */
  readonly totals: ReadonlyMap<string, bigint>;
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
}

/** A file of allocations: CSV (RFC 4180) with the columns of an export, in any order. */
export class AllocationFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Yields its allocations but those of zero. @throws ImportError, or the error of a file that can't be read */
  async *allocations(onBytes: (bytes: Uint8Array) => void = () => {}): AsyncGenerator<ImportedAllocation, void> {
    for await (const { line, row } of rowsOf(chunksOf(this.#path, onBytes))) {
      const allocation = allocationOf(line, row);
      if (allocation.accepted !== "0") yield { line, allocation };
    }
  }

  /**
   * Reads all of it.
   *
   * @param paymentTokens the tokens that the sale takes
   * @throws ImportError for the first record that breaks a rule, that has another token, or that occurs twice
   */
  async check(paymentTokens: readonly string[], signal: AbortSignal): Promise<AllocationSummary> {
    const known = new Set(paymentTokens.map(addressKey));
    const hash = createHash("sha256");
    const lineOfKey = new Map<string, number>();
    const entities = new Set<string>();
    const totals = new Map<string, { readonly token: string; sum: bigint }>();
    for await (const { line, allocation } of this.allocations((bytes) => hash.update(bytes))) {
      signal.throwIfAborted();
      const token = allocation.token ?? "";
      if (!known.has(addressKey(token))) throw unknownToken(line, token);
      const entity = String.fromCharCode(...(allocation.entityId ?? []));
      const key = [entity, ...[allocation.wallet ?? "", token].map(addressKey)].join("/");
      const earlier = lineOfKey.get(key);
      if (earlier !== undefined) throw new ImportError(line, `entity, wallet and token are those of line ${earlier}`);
      lineOfKey.set(key, line);
      entities.add(entity);
      const total = totals.get(addressKey(token)) ?? { token, sum: 0n };
      total.sum += BigInt(allocation.accepted ?? "0");
      totals.set(addressKey(token), total);
    }
    return {
      allocations: BigInt(lineOfKey.size),
      entities: BigInt(entities.size),
      totals: new Map(Array.from(totals.values(), ({ token, sum }) => [token, sum])),
      digest: hash.digest("hex"),
    };
  }
}

function allocationOf(line: number, row: Row) {
  const read = new FieldReader(line);
  return {
    entityId: read.bytes("entity_id", row.entity_id, ENTITY_BYTES),
    wallet: read.text("wallet", row.wallet),
    token: read.text("token", row.token),
    accepted: read.integer("accepted", row.accepted, MAX_UINT256).toString(),
  };
}

async function* chunksOf(path: string, onBytes: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of createReadStream(path)) {
    onBytes(chunk);
    yield chunk;
  }
}

async function* rowsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; row: Row }, void> {
  const options = { bom: true, columns: checkedColumns, info: true, max_record_size: MAX_RECORD_CHARACTERS };
  const parser = parse({ ...options, skip_empty_lines: true });
  const input = Readable.from(chunks, { objectMode: false });
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 2;
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: Row; info: Info };
      yield { line, row: record };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? new ImportError(line, error.message) : error;
  } finally {
    input.destroy();
  }
}

/** @throws ImportError for other columns */
function checkedColumns(names: string[]): string[] {
  const isSame = names.length === COLUMNS.length && COLUMNS.every((name) => names.includes(name));
  if (!isSame) throw new ImportError(1, `the first line must name the columns ${COLUMNS.join(", ")}`);
  return names;
}

/** Addresses of EVM chains mean the same in any case, those of Solana don't. */
function addressKey(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}
