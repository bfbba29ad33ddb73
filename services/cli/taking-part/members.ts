import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { amountEntry } from "../../../common/sale/words/sale-units.ts";
import { type GroupMember, GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { LIMIT_OPTION, limitOf } from "../input/limit.ts";
import { alignColumns } from "../output/align-columns.ts";
import { limited } from "../output/limited.ts";
import { messageJson } from "../output/message-json.ts";
import { type Paint, paintFor } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { groupOption } from "./group-option.ts";
import { amountDecimals, readTakingPart } from "./read-taking-part.ts";

const GROUP_OPTION = { type: "string", value: "GROUP", help: "only of this group, by its name or UUID" } as const;

export const memberList: Command = {
  name: "member list",
  positionals: ["SALE-UUID"],
  summary: "list the members of a sale's groups",
  options: {
    search: { type: "string", value: "TEXT", help: "only exactly this e-mail address, wallet or entity ID" },
    group: GROUP_OPTION,
    ...LIMIT_OPTION,
    json: { type: "boolean", help: "as a JSON list for programs; amounts are in smallest units" },
  },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const limit = limitOf(input);
    const { definition, rules } = await readTakingPart(context, saleUuid);
    const filter = { saleUuid, search: input.text("search") ?? "", groupUuid: groupOption(input, rules.groups) ?? "" };
    const members = await limited(allMembers(filter, context), limit, context);
    const file = { groups: rules.groups, decimals: amountDecimals(definition) };
    const json = () => members.map((member) => messageJson(GroupMemberSchema, member));
    const table = () => memberTable(members, file, paintFor(context.output));
    await write(context.output, `${input.flag("json") ? JSON.stringify(json(), null, 2) : table()}\n`);
  },
};

export const memberRemove: Command = {
  name: "member remove",
  positionals: ["SALE-UUID", "MEMBER"],
  summary: "remove a member from a sale's groups",
  details: "MEMBER is an e-mail address, a wallet or an entity's ID in the sale's contract.",
  options: { group: GROUP_OPTION },
  async run(input, context) {
    const [saleUuid = "", search = ""] = input.positionals;
    const { eligibility, output, signal } = context;
    const { rules } = await readTakingPart(context, saleUuid);
    if (search.trim() === "") throw new CommandFailure("MEMBER is empty");
    const filter = { saleUuid, search, groupUuid: groupOption(input, rules.groups) ?? "" };
    const memberUuids = await Array.fromAsync(allMembers(filter, context), ({ uuid }) => uuid);
    if (memberUuids.length === 0) throw new CommandFailure("there is no such member");
    const { removed } = await eligibility.removeMembers({ saleUuid, memberUuids }, { signal });
    await write(output, `removed from ${removed} ${removed === 1 ? "group" : "groups"}\n`);
  },
};

interface MemberFilter {
  readonly saleUuid: string;
  readonly search: string;
  readonly groupUuid: string;
}

function allMembers(filter: MemberFilter, { eligibility, signal }: CliContext): AsyncGenerator<GroupMember> {
  return allPages(async (pageToken) => {
    const request = { ...filter, pageSize: PAGE_SIZE, pageToken };
    const { members, nextPageToken } = await eligibility.listMembers(request, { signal });
    return { items: members, nextPageToken };
  });
}

/** The facts about a sale that a table of its members needs. */
interface MemberTableContext {
  readonly groups: readonly { readonly uuid: string; readonly name: string }[];
  /** Decimals of the payment tokens. */
  readonly decimals: number;
}

/** A table of members, with their own bounds in whole payment tokens. */
function memberTable(members: readonly GroupMember[], context: MemberTableContext, paint: Paint): string {
  const amount = (text: string) => (text === "" ? "-" : amountEntry(context, BigInt(text)));
  const rows = members.map(({ groupUuid, key, minAmount, maxAmount }) => [
    terminalText(context.groups.find(({ uuid }) => uuid === groupUuid)?.name ?? groupUuid),
    keyText(key),
    amount(minAmount),
    amount(maxAmount),
  ]);
  const header = ["GROUP", "MEMBER", "AT LEAST", "AT MOST"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

function keyText(key: GroupMember["key"]): string {
  if (key.case === "saleSpecificEntityId") return `0x${hexOfBytes(key.value)}`;
  return terminalText(key.value ?? "");
}
