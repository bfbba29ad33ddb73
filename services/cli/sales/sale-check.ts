import { stageText as saleStageText, stageOf } from "../../../common/sale/state/stage.ts";
import { auctionLines } from "../../../common/sale/words/auction-lines.ts";
import { definitionLines, paymentTokenLine } from "../../../common/sale/words/definition-lines.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { cancelledLine } from "../../../common/sale/words/setting-lines.ts";
import type { CheckSourceResponse, TokenCheck } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { lineRow } from "../output/line-row.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { CONTRACT_VERSION_OPTION, contractVersionOf } from "./definition-flags.ts";

/** Limit of the RPC. */
const MAX_TOKENS = 32;

export const saleCheck: Command = {
  name: "sale check",
  positionals: ["CHAIN", "ADDRESS"],
  summary: "check whether there is a readable sale at an address of a chain",
  details:
    "If there is none, the exit code is 1 and the problems go to standard error. A Continuous Clearing Auction also says the settings of its sale.",
  options: { "contract-version": CONTRACT_VERSION_OPTION },
  async run(input, { indexer, output, signal }) {
    const [chain = "", address = ""] = input.positionals;
    const contractVersion = contractVersionOf(input) ?? 0;
    const tokensOf = async ({ paymentTokens, proposedDefinition }: CheckSourceResponse) => {
      const addresses = paymentTokens.slice(0, MAX_TOKENS);
      // The settings that follow from an auction name its token, too.
      if (addresses.length === 0 || proposedDefinition !== undefined) return [];
      return (await indexer.checkTokens({ chain, addresses }, { signal })).tokens;
    };
    const check = await indexer.checkSource({ chain, address, contractVersion }, { signal });
    if (check.readable) await write(output, `${checkText(check, await tokensOf(check))}\n`);
    const problems = check.problems.map(terminalText);
    if (!check.readable) throw new CommandFailure(["not readable", ...problems].join("\n"));
    if (problems.length > 0) await write(output, `${problems.map((problem) => `Problem: ${problem}`).join("\n")}\n`);
  },
};

function checkText(check: CheckSourceResponse, tokens: readonly TokenCheck[]): string {
  const { commitmentCount, saleUuid, height, contractVersion, cancelledKeepsAmounts, maxWalletsPerEntity } = check;
  const { auction, proposedDefinition } = check;
  const facts = [
    ["Readable", `yes, at height ${countText(height)}`],
    ["Commitments", countText(commitmentCount)],
  ];
  if (auction !== undefined) {
    const settings = proposedDefinition === undefined ? [] : definitionLines(proposedDefinition);
    const lines = [...auctionLines(auction, proposedDefinition), ...settings];
    return alignColumns([...facts, ["Stage", stageText(check)], ...lines.map(lineRow), ...tokens.map(tokenRow)]);
  }
  return alignColumns([
    ...facts,
    ["Version", contractVersion === 0 ? "unknown" : contractVersion.toString()],
    ["Stage", stageText(check)],
    ...(cancelledKeepsAmounts === true ? [lineRow(cancelledLine(true))] : []),
    ...(maxWalletsPerEntity === undefined ? [] : [["Wallets", `at most ${maxWalletsPerEntity} of one entity`]]),
    ["Sale UUID", terminalText(saleUuid) || "unknown"],
    ...tokens.map(tokenRow),
  ]);
}

function tokenRow(token: TokenCheck) {
  return lineRow(paymentTokenLine(token));
}

function stageText({ stage, saleStage }: CheckSourceResponse): string {
  const name = saleStageText(stageOf(saleStage));
  return stage === undefined ? name : `${name} (${stage})`;
}
