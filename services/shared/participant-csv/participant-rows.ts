import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { messageBytes } from "../encoding/hex.ts";
import { parseUuid } from "../encoding/uuid.ts";
import { type Columns, type CsvRow, csvRows } from "./csv-rows.ts";

/** The columns of a file of members. Each row has one of the first three. */
export const PARTICIPANT_COLUMNS = ["email", "wallet", "entity", "group", "min_amount", "max_amount"] as const;

type Column = (typeof PARTICIPANT_COLUMNS)[number];

const COLUMNS: Columns<Column> = { known: PARTICIPANT_COLUMNS, required: ["group"] };

/** A group of the sale, which a row names by its name or UUID. */
export interface NamedGroup {
  readonly uuid: string;
  readonly name: string;
}

/** A mistake in a file of members or wallets. */
export interface LineProblem {
  readonly line: number;
  readonly field: string;
  /** For people. */
  readonly message: string;
}

/** A message of a member, as `ImportMembers` takes it. */
export type MemberInit = Exclude<MessageInitShape<typeof GroupMemberSchema>, { $typeName: string }>;

/** A row of a file: a member with its line, or a mistake. */
export type ParticipantRow = { readonly line: number; readonly member: MemberInit } | LineProblem;

const ENTITY_ID = /^(?:0x)?([0-9a-fA-F]{32})$/;
const AMOUNT = /^(0|[1-9]\d{0,77})?$/;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_WALLET_CHARACTERS = 64;

/**
 * Reads members. The service checks the rest: addresses, and amounts that the sale's chain can hold.
 *
 * @throws ParticipantFileError for a file that can't be read any further
 */
export async function* participantRows(
  chunks: AsyncIterable<Uint8Array>,
  groups: readonly NamedGroup[],
): AsyncGenerator<ParticipantRow, void> {
  const lineOfKey = new Map<string, number>();
  for await (const row of csvRows(chunks, COLUMNS)) {
    const read = readRow(row, groups);
    yield isProblem(read) ? read : (repetitionOf(read, row.fields, lineOfKey) ?? read);
  }
}

export function isProblem(row: ParticipantRow): row is LineProblem {
  return "message" in row;
}

function readRow({ line, fields }: CsvRow<Column>, groups: readonly NamedGroup[]): ParticipantRow {
  const problem = (field: string, message: string): LineProblem => ({ line, field, message });
  const given = (["email", "wallet", "entity"] as const).filter((column) => fields[column] !== "");
  const [column, second] = given;
  if (column === undefined) return problem("email", "give an e-mail address, a wallet or an entity");
  if (second !== undefined) return problem(second, `give either ${given.join(" or ")}, each on a line of its own`);
  const key = keyOf(column, fields[column]);
  if (typeof key === "string") return problem(column, key);
  const group = groupOf(fields.group, groups);
  if (group === undefined) return problem("group", "the sale has no group of this name");
  for (const field of ["min_amount", "max_amount"] as const) {
    if (!AMOUNT.test(fields[field])) return problem(field, "write a whole number of smallest units, only digits");
  }
  const amounts = { minAmount: fields.min_amount, maxAmount: fields.max_amount };
  return { line, member: { groupUuid: group.uuid, key, ...amounts } };
}

/** @returns a text that says what is wrong with the key, for people */
function keyOf(column: "email" | "wallet" | "entity", text: string): NonNullable<MemberInit["key"]> | string {
  if (column === "email") {
    return text.length > MAX_EMAIL_CHARACTERS ? "is too long" : { case: "email", value: text };
  }
  if (column === "wallet") {
    return text.length > MAX_WALLET_CHARACTERS ? "is too long" : { case: "wallet", value: text };
  }
  const [, hex] = ENTITY_ID.exec(text) ?? [];
  return hex === undefined
    ? "write 0x and 32 hexadecimal digits"
    : { case: "saleSpecificEntityId", value: messageBytes(hex) };
}

function groupOf(text: string, groups: readonly NamedGroup[]): NamedGroup | undefined {
  const uuid = parseUuid(text);
  return groups.find((group) => (uuid === undefined ? group.name === text : group.uuid === uuid));
}

/** Returns the mistake of a row that is in the same group by the same key as an earlier one. */
function repetitionOf(
  { line, member }: { readonly line: number; readonly member: MemberInit },
  fields: CsvRow<Column>["fields"],
  lineOfKey: Map<string, number>,
): LineProblem | undefined {
  const { email, wallet, entity } = fields;
  // Addresses of EVM chains and entity IDs mean the same in any case, those of Solana don't.
  const address = wallet.startsWith("0x") ? wallet.toLowerCase() : wallet;
  const id = entity.toLowerCase().replace(/^0x/, "");
  const key = `${member.groupUuid} ${email.toLowerCase()} ${address} ${id}`;
  const earlier = lineOfKey.get(key);
  if (earlier === undefined) lineOfKey.set(key, line);
  const field = member.key?.case === "saleSpecificEntityId" ? "entity" : (member.key?.case ?? "email");
  return earlier === undefined ? undefined : { line, field, message: `is in this group on line ${earlier}, too` };
}
