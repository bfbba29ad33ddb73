import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { messageBytes } from "../encoding/hex.ts";
import { ImportError } from "./import-error.ts";

/** The fields of a commitment beside its amounts: columns of the CSV, names in a JSON line. */
export const COMMITMENT_FIELDS = [
  "commitment_id",
  "entity_id",
  "created_at",
  "price_ticks",
  "lockup",
  "refunded",
  "extra_data",
] as const;

/** Values of the fields that may be left out. */
export const FIELD_DEFAULTS = { price_ticks: "0", lockup: "false", refunded: "false", extra_data: "0x" };

/** A commitment of a file, as text. */
export type CommitmentFields = Readonly<Record<(typeof COMMITMENT_FIELDS)[number], string>>;

/** The amount of a wallet and token, in the token's smallest units. */
export interface AmountFields {
  readonly wallet: string;
  readonly token: string;
  readonly amount: string;
}

/** A commitment with the line on which it begins. */
export interface ImportedCommitment {
  readonly line: number;
  readonly record: CommitmentRecord;
}

const ID_BYTES = 32;
const ENTITY_BYTES = 16;
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_UINT256 = 2n ** 256n - 1n;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** @throws ImportError naming the field and the rule that it breaks */
export function importedCommitment(
  line: number,
  fields: CommitmentFields,
  amounts: readonly AmountFields[],
): ImportedCommitment {
  const read = new FieldReader(line);
  const record = create(CommitmentRecordSchema, {
    commitmentId: read.bytes("commitment_id", fields.commitment_id, ID_BYTES),
    entityId: read.bytes("entity_id", fields.entity_id, ENTITY_BYTES),
    createdAtSeconds: read.time("created_at", fields.created_at),
    priceTicks: read.integer("price_ticks", fields.price_ticks, MAX_UINT64),
    lockup: read.boolean("lockup", fields.lockup),
    refunded: read.boolean("refunded", fields.refunded),
    amounts: amounts.map(({ wallet, token, amount }) => ({
      wallet: read.text("wallet", wallet),
      token: read.text("token", token),
      amount: read.integer("amount", amount, MAX_UINT256).toString(),
    })),
    extraData: read.bytes("extra_data", fields.extra_data),
  });
  return { line, record };
}

class FieldReader {
  readonly #line: number;

  constructor(line: number) {
    this.#line = line;
  }

  bytes(field: string, text: string, length?: number): Uint8Array<ArrayBuffer> {
    const [, hex] = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(text) ?? [];
    const isValid = hex !== undefined && (length === undefined || hex.length === 2 * length);
    return isValid ? messageBytes(hex) : this.#fail(field, `0x and ${length ?? "any number of"} bytes in hex`, text);
  }

  /** A time to the second, or seconds since 1970. */
  time(field: string, text: string): bigint {
    if (/^\d{1,12}$/.test(text)) return BigInt(text);
    const millis = TIME.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(millis)
      ? this.#fail(field, "a time such as 2026-01-31T12:00:00Z", text)
      : BigInt(millis / 1_000);
  }

  integer(field: string, text: string, largest: bigint): bigint {
    const value = /^(0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : -1n;
    return value < 0n || value > largest ? this.#fail(field, `a whole number up to ${largest}`, text) : value;
  }

  boolean(field: string, text: string): boolean {
    return text === "true" || text === "false" ? text === "true" : this.#fail(field, "true or false", text);
  }

  text(field: string, text: string): string {
    return text === "" ? this.#fail(field, "an address", text) : text;
  }

  #fail(field: string, expected: string, text: string): never {
    throw new ImportError(this.#line, `${field} must be ${expected}, not ${JSON.stringify(text.slice(0, 100))}`);
  }
}
