import { createHash } from "node:crypto";
import { csvRecords } from "../../../common/sale/csv/csv-records.ts";
import { FieldReader, MAX_UINT256 } from "../../../common/sale/csv/field-reader.ts";
import { ImportError, unknownToken } from "../../../common/sale/csv/import-error.ts";
import { addressKey, bytesKey } from "../../../common/sale/csv/map-keys.ts";
import { TokenTotals } from "../../../common/sale/csv/token-totals.ts";
import type { Allocation } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import { fileChunks } from "../files/file-chunks.ts";

const COLUMNS = ["entity_id", "wallet", "token", "accepted"] as const;
const ENTITY_BYTES = 16;
const MAX_RECORD_CHARACTERS = 1_000;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** An allocation of a file, with its line. */
export interface ImportedAllocation {
  readonly line: number;
  readonly allocation: Pick<Allocation, "entityId" | "wallet" | "token" | "accepted">;
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
    const options = { columns: checkedColumns, max_record_size: MAX_RECORD_CHARACTERS };
    for await (const { line, record } of csvRecords(fileChunks(this.#path, onBytes), options)) {
      const allocation = allocationOf(line, record as Row);
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
    const hash = createHash("sha256");
    const lineOfKey = new Map<string, number>();
    const entities = new Set<string>();
    const totals = new TokenTotals(paymentTokens);
    for await (const { line, allocation } of this.allocations((bytes) => hash.update(bytes))) {
      signal.throwIfAborted();
      const { entityId, wallet, token, accepted } = allocation;
      if (!totals.add(token, BigInt(accepted))) throw unknownToken(line, token);
      const entity = bytesKey(entityId);
      const key = [entity, addressKey(wallet), addressKey(token)].join("/");
      const earlier = lineOfKey.get(key);
      if (earlier !== undefined) throw new ImportError(line, `entity, wallet and token are those of line ${earlier}`);
      lineOfKey.set(key, line);
      entities.add(entity);
    }
    return {
      allocations: BigInt(lineOfKey.size),
      entities: BigInt(entities.size),
      totals: totals.sums,
      digest: hash.digest("hex"),
    };
  }
}

function allocationOf(line: number, row: Row): ImportedAllocation["allocation"] {
  const read = new FieldReader(line);
  return {
    entityId: read.bytes("entity_id", row.entity_id, ENTITY_BYTES),
    wallet: read.text("wallet", row.wallet),
    token: read.text("token", row.token),
    accepted: read.integer("accepted", row.accepted, MAX_UINT256).toString(),
  };
}

/** @throws ImportError for other columns */
function checkedColumns(names: string[]): string[] {
  const isSame = names.length === COLUMNS.length && COLUMNS.every((name) => names.includes(name));
  if (!isSame) throw new ImportError(1, `the first line must name the columns ${COLUMNS.join(", ")}`);
  return names;
}
