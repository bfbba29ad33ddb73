import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { importList, LIST_DETAILS, LIST_OPTIONS } from "../files/import-list.ts";
import { groupOption } from "./group-option.ts";
import { MEMBER_FILE_COLUMNS, type MemberRow, memberLines } from "./member-lines.ts";
import { amountDecimals, readTakingPart } from "./read-taking-part.ts";

export const memberImport: Command = {
  name: "member import",
  positionals: ["SALE-UUID", "FILE"],
  summary: "add members to the groups of a sale",
  details: `FILE is CSV whose first line names the columns: ${MEMBER_FILE_COLUMNS}.
A line has the name or UUID of a group, one of \`email\`, \`wallet\` and \`entity\` (the ID in the sale's contract), and if the
member has own bounds, those in whole payment tokens. Other bounds replace those that the member had.
${LIST_DETAILS}`,
  options: {
    group: { type: "string", value: "GROUP", help: "the group of lines that name none, by its name or UUID" },
    ...LIST_OPTIONS,
  },
  async run(input, context) {
    const [saleUuid = "", path = ""] = input.positionals;
    const { definition, rules } = await readTakingPart(context, saleUuid);
    const groupUuid = groupOption(input, rules.groups);
    const options = { groups: rules.groups, decimals: amountDecimals(definition), groupUuid };
    const read = (chunks: AsyncIterable<Uint8Array>) => memberLines(chunks, options);
    await importList({ path, read, send: sendTo(saleUuid, context) }, input, context);
  },
};

function sendTo(saleUuid: string, { eligibility, signal }: CliContext) {
  return (members: readonly MemberRow[], dryRun: boolean) =>
    eligibility.importMembers({ saleUuid, members: [...members], dryRun }, { signal });
}
