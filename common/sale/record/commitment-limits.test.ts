import { getOption } from "@bufbuild/protobuf";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { COMMITMENT_LIMITS } from "./commitment-limits.ts";

type Rule = FieldRules["type"]["value"];

/** Returns the rules that the proto gives a field of a record. */
function rulesOf(name: string): Rule {
  const field = CommitmentRecordSchema.fields.find((field) => field.name === name);
  if (field === undefined) throw new Error(`CommitmentRecord has no field ${name}`);
  return getOption(field, fieldRules).type.value;
}

it.each([
  ["commitment_id", { len: BigInt(COMMITMENT_LIMITS.commitmentIdBytes) }],
  ["entity_id", { len: BigInt(COMMITMENT_LIMITS.entityIdBytes) }],
  ["created_at_seconds", { lessThan: { value: COMMITMENT_LIMITS.lastCreatedAtSeconds } }],
  ["price_ticks", { pattern: "^(0|[1-9][0-9]{0,48})?$" }],
  ["amounts", { maxItems: BigInt(COMMITMENT_LIMITS.amounts) }],
  ["extra_data", { maxLen: BigInt(COMMITMENT_LIMITS.extraDataBytes) }],
  ["accepted", { maxItems: BigInt(COMMITMENT_LIMITS.amounts) }],
  ["demand", { pattern: "^(0|[1-9][0-9]{0,77})?$" }],
  ["source_index", { lessThan: { value: COMMITMENT_LIMITS.sourceIndex } }],
])("are those of the proto: %s", (name, rules) => {
  expect(rulesOf(name)).toMatchObject(rules);
});

it("leave no rule of the proto out", () => {
  const ruled = CommitmentRecordSchema.fields.filter((field) => getOption(field, fieldRules).type.case !== undefined);
  expect(ruled.map(({ name }) => name)).toEqual([
    "commitment_id",
    "entity_id",
    "created_at_seconds",
    "price_ticks",
    "amounts",
    "extra_data",
    "source_index",
    "accepted",
    "demand",
  ]);
});
