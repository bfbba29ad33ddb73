import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatusSchema,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { plainText } from "../output/plain-text.ts";
import { timeText } from "../output/time-text.ts";

/** A table of the keys of a sale. */
export function permitKeyTable(keys: readonly PermitKey[], paint: Paint): string {
  const rows = keys.map((key) => [
    key.keyUuid,
    enumName(PermitKeyStatusSchema, key.status) ?? "unknown",
    key.address,
    plainText(key.chain),
    key.remote ? "remote" : "here",
    timeText(key.activatedAt),
    knowledgeText(key),
  ]);
  const header = ["UUID", "STATUS", "ADDRESS", "CHAIN", "HELD", "SIGNS SINCE", "CONTRACT"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

function knowledgeText({ contract, contractProblem }: PermitKey): string {
  if (contract === ContractKnowledge.KNOWN) return "knows it";
  if (contract === ContractKnowledge.UNKNOWN_KEY) return "doesn't know it";
  return contractProblem === "" ? "can't be asked" : `can't be asked: ${plainText(contractProblem)}`;
}

/** The next steps for the keys, one on each line. */
export function stepsText(steps: readonly { readonly text: string; readonly call?: string }[]): string {
  return steps.map(({ text, call }) => `next: ${text}${call === undefined ? "" : `\n  ${call}`}`).join("\n");
}
