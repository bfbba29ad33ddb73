import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  ContractKnowledge,
  PermitKeySchema,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { unpainted } from "../output/paint.ts";
import { permitKeyTable, stepsText } from "./permit-key.ts";

it.each([
  [{ contract: ContractKnowledge.KNOWN }, "knows it"],
  [{ contract: ContractKnowledge.UNKNOWN_KEY }, "doesn’t know it"],
  [{}, "can’t be asked now"],
  [{ contractProblem: "no answer\u001b" }, "can’t be asked now: no answer\ufffd"],
])("says what the contract knows: %j", (key, text) => {
  const table = permitKeyTable([create(PermitKeySchema, { ...key, status: PermitKeyStatus.NEXT })], unpainted);
  expect(table.endsWith(`  ${text}`)).toBe(true);
});

it("has a step on each line, and what to copy below", () => {
  expect(stepsText([{ text: "Call:", call: "grantRole()" }, { text: "Activate it." }])).toBe(
    "next: Call:\n  grantRole()\nnext: Activate it.",
  );
});
