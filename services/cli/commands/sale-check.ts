import type { CheckSourceResponse } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { grouped } from "../output/grouped-digits.ts";
import { plainText } from "../output/plain-text.ts";
import { write } from "../output/write.ts";

const STAGES = ["pre_open", "commitment", "cancellation", "settlement", "done"];

export const saleCheck: Command = {
  name: "sale check",
  positionals: ["CHAIN", "ADDRESS"],
  summary: "check whether there is a readable sale at an address of a chain",
  details: "If there is none, the exit code is 1 and the problems go to standard error.",
  options: {},
  async run({ positionals: [chain = "", address = ""] }, { indexer, output, signal }) {
    const check = await indexer.checkSource({ chain, address }, { signal });
    if (check.readable) await write(output, `${checkText(check)}\n`);
    const problems = check.problems.map(plainText);
    if (!check.readable) throw new CommandFailure(["not readable", ...problems].join("\n"));
    if (problems.length > 0) await write(output, `${problems.map((problem) => `Problem: ${problem}`).join("\n")}\n`);
  },
};

function checkText({ commitmentCount, stage, saleUuid, paymentTokens, height }: CheckSourceResponse): string {
  return alignColumns([
    ["Readable", `yes, at height ${grouped(height)}`],
    ["Commitments", grouped(commitmentCount)],
    ["Stage", stage === undefined ? "unknown" : (STAGES[stage] ?? `unknown (${stage})`)],
    ["Sale UUID", plainText(saleUuid) || "unknown"],
    ...paymentTokens.map((token) => ["Payment token", plainText(token)]),
  ]);
}
