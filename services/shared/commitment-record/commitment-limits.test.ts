import { type DescMessage, getOption } from "@bufbuild/protobuf";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, it } from "vitest";
import {
  CommitmentRecordSchema,
  WalletTokenAmountSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { AMOUNT_PATTERN, COMMITMENT_LIMITS } from "./commitment-limits.ts";

type Rule = FieldRules["type"]["value"];

/** Returns the rules that the proto gives a field. */
function rulesOf(message: DescMessage, name: string): Rule {
  const field = message.fields.find((field) => field.name === name);
  if (field === undefined) throw new Error(`${message.name} has no field ${name}`);
  return getOption(field, fieldRules).type.value;
}

it.each([
  [CommitmentRecordSchema, "commitment_id", { len: BigInt(COMMITMENT_LIMITS.commitmentIdBytes) }],
  [CommitmentRecordSchema, "entity_id", { len: BigInt(COMMITMENT_LIMITS.entityIdBytes) }],
  [CommitmentRecordSchema, "created_at_seconds", { lessThan: { value: COMMITMENT_LIMITS.lastCreatedAtSeconds } }],
  [CommitmentRecordSchema, "amounts", { maxItems: BigInt(COMMITMENT_LIMITS.amounts) }],
  [CommitmentRecordSchema, "extra_data", { maxLen: BigInt(COMMITMENT_LIMITS.extraDataBytes) }],
  [CommitmentRecordSchema, "source_index", { lessThan: { value: COMMITMENT_LIMITS.sourceIndex } }],
  [WalletTokenAmountSchema, "wallet", { minLen: 1n, maxLen: BigInt(COMMITMENT_LIMITS.addressCharacters) }],
  [WalletTokenAmountSchema, "token", { minLen: 1n, maxLen: BigInt(COMMITMENT_LIMITS.addressCharacters) }],
  [WalletTokenAmountSchema, "amount", { pattern: AMOUNT_PATTERN.source }],
])("are those of the proto: %o.%s", (message, name, rules) => {
  expect(rulesOf(message, name)).toMatchObject(rules);
});

it("leave no rule of the proto out", () => {
  const ruled = [CommitmentRecordSchema, WalletTokenAmountSchema].flatMap((message) =>
    message.fields.filter((field) => getOption(field, fieldRules).type.case !== undefined),
  );
  expect(ruled.map(({ name }) => name)).toEqual([
    "commitment_id",
    "entity_id",
    "created_at_seconds",
    "amounts",
    "extra_data",
    "source_index",
    "wallet",
    "token",
    "amount",
  ]);
});
