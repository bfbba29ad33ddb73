import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { FieldReader, MAX_UINT256 } from "./field-reader.ts";

/** The fields of a commitment beside its amounts: columns of the CSV, names in a JSON line. */
export const COMMITMENT_FIELDS = [
  "commitment_id",
  "entity_id",
  "created_at",
  "price_ticks",
  "lockup",
  "refunded",
  "extra_data",
  "demand",
] as const;

/** Values of the fields that may be left out. */
export const FIELD_DEFAULTS = { price_ticks: "0", lockup: "false", refunded: "false", extra_data: "0x", demand: "" };

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
/** The service knows which of them the sale can have. */
const MAX_TICKS = 2n ** 160n - 1n;

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
    priceTicks: read.integer("price_ticks", fields.price_ticks, MAX_TICKS).toString(),
    lockup: read.boolean("lockup", fields.lockup),
    refunded: read.boolean("refunded", fields.refunded),
    amounts: amounts.map(({ wallet, token, amount }) => ({
      wallet: read.text("wallet", wallet),
      token: read.text("token", token),
      amount: read.integer("amount", amount, MAX_UINT256).toString(),
    })),
    extraData: read.bytes("extra_data", fields.extra_data),
    demand: fields.demand === "" ? "" : read.integer("demand", fields.demand, MAX_UINT256).toString(),
  });
  return { line, record };
}
