import { bytesOfHex } from "../../platform/encoding/hex.ts";
import { parseUuid } from "../../platform/encoding/uuid.ts";
import { timesPowerOfTen } from "../words/exact-number.ts";
import { NUMBER_WORDS } from "../words/number-words.ts";
import { isNumber, readExactNumber } from "../words/read-number.ts";
import { ListFileError } from "./list-file-error.ts";
import { type ListRecord, listRecords } from "./list-records.ts";
import { MEMBER_COLUMNS, type MemberFileContext } from "./member-csv.ts";
import type { MemberInit } from "./member-init.ts";
import { ReadKeys } from "./repeated-members.ts";

type Column = (typeof MEMBER_COLUMNS)[number];

/** A line of a file of members: a member, or the rule that it breaks. */
export type MemberLine = { readonly line: number } & ReadMember;

type ReadMember = { readonly member: MemberInit } | { readonly field: Column; readonly problem: string };

export interface MemberFileOptions extends MemberFileContext {
  /** UUID of the group of lines that name none; absent: every line has to. */
  readonly groupUuid?: string | undefined;
}

const ENTITY_ID = /^(?:0x)?([0-9a-f]{32})$/i;
/**
 * A language with a comma before decimals. A file says nothing of its language: one with semicolons, tabs or commas may come out of a
 * spreadsheet of any country. So amounts are read as there, and `5.000` is refused, since a bound that is a thousand times wrong costs more
 * than another zero.
 */
const WITH_COMMA = "de";
const AMOUNT_BOUND = 2n ** 256n;

/**
 * Reads a file of members: its first line names the columns (`MEMBER_COLUMNS`), in any order and as many as are needed. It repeats
 * nothing of a line in the text of its problem, so that no e-mail address gets into a log.
 *
 * @throws ListFileError for a file that can't be read any further, or has other columns
 */
export async function* readMembers(
  chunks: AsyncIterable<Uint8Array>,
  options: MemberFileOptions,
): AsyncGenerator<MemberLine, void> {
  let columns: readonly Column[] | undefined;
  const keys = new ReadKeys();
  for await (const record of listRecords(chunks)) {
    const { line } = record;
    if (columns === undefined) columns = columnsOf(line, record.fields, options);
    else yield { line, ...unrepeated(line, memberOf(columns, record, options), keys) };
  }
  if (columns === undefined) throw new ListFileError(undefined, "the file is empty");
}

/** Returns the problem of a member that is in the same group by the same key on an earlier line. */
function unrepeated(line: number, read: ReadMember, keys: ReadKeys): ReadMember {
  const earlier = "member" in read ? keys.note(line, read.member) : undefined;
  if (!("member" in read) || earlier === undefined) return read;
  const { case: name = "email" } = read.member.key ?? {};
  const field = name === "saleSpecificEntityId" ? "entity" : name;
  return { field, problem: `is in this group on line ${earlier}, too` };
}

function columnsOf(line: number, names: readonly string[], { groupUuid }: MemberFileOptions): readonly Column[] {
  const columns = names.map((name) => name.toLowerCase());
  const wrong = columns.find((name, index) => !isColumn(name) || columns.indexOf(name) !== index);
  if (wrong !== undefined) {
    throw new ListFileError(line, `the first line must name the columns, of these: ${MEMBER_COLUMNS.join(", ")}`);
  }
  const known = columns.filter(isColumn);
  if (!known.some((name) => name === "email" || name === "wallet" || name === "entity")) {
    throw new ListFileError(line, "the first line must name a column email, wallet or entity");
  }
  if (groupUuid === undefined && !known.includes("group")) {
    throw new ListFileError(line, "the first line must name the column group, or a group must be chosen");
  }
  return known;
}

function isColumn(name: string): name is Column {
  return (MEMBER_COLUMNS as readonly string[]).includes(name);
}

class LineProblem extends Error {
  readonly field: Column;

  constructor(field: Column, text: string) {
    super(text);
    this.field = field;
  }
}

function memberOf(columns: readonly Column[], { fields }: ListRecord, options: MemberFileOptions): ReadMember {
  const values = new Map(columns.map((column, index) => [column, fields[index] ?? ""]));
  const value = (column: Column) => values.get(column) ?? "";
  try {
    if (fields.length !== columns.length) {
      throw new LineProblem(
        columns[0] ?? "group",
        `the line has ${fields.length} fields, and the first line ${columns.length}`,
      );
    }
    return {
      member: {
        groupUuid: groupOf(value("group"), options),
        key: keyOf(value),
        minAmount: amountOf("min_amount", value("min_amount"), options),
        maxAmount: amountOf("max_amount", value("max_amount"), options),
      },
    };
  } catch (error) {
    if (error instanceof LineProblem) return { field: error.field, problem: error.message };
    throw error;
  }
}

function groupOf(text: string, { groups, groupUuid }: MemberFileOptions): string {
  if (text === "") {
    if (groupUuid !== undefined) return groupUuid;
    throw new LineProblem("group", "name the group");
  }
  const uuid = parseUuid(text);
  const found = groups.filter((group) => group.uuid === uuid || group.name.trim() === text);
  const [group] = found;
  if (group === undefined) throw new LineProblem("group", "the sale has no such group");
  if (found.length > 1) throw new LineProblem("group", "several groups have this name: write the UUID of one");
  return group.uuid;
}

function keyOf(value: (column: Column) => string): NonNullable<MemberInit["key"]> {
  const given = (["email", "wallet", "entity"] as const).filter((column) => value(column) !== "");
  const [column] = given;
  if (column === undefined) throw new LineProblem("email", "write an e-mail address, a wallet or an entity");
  if (given.length > 1) throw new LineProblem(column, "write only one of e-mail address, wallet and entity");
  if (column !== "entity") return { case: column, value: checkedLength(column, value(column)) };
  const [, hex] = ENTITY_ID.exec(value("entity").replaceAll("-", "")) ?? [];
  if (hex === undefined) throw new LineProblem("entity", "must be 0x and 32 hexadecimal digits");
  return { case: "saleSpecificEntityId", value: new Uint8Array(bytesOfHex(hex)) };
}

/** Bounds of the contract; a longer text would have the whole request refused, and not its line. */
const MAX_CHARACTERS = { email: 254, wallet: 64 } as const;

function checkedLength(column: "email" | "wallet", text: string): string {
  const max = MAX_CHARACTERS[column];
  if (text.length <= max) return text;
  throw new LineProblem(column, `must have at most ${max} characters`);
}

function amountOf(column: "min_amount" | "max_amount", text: string, { decimals }: MemberFileOptions): string {
  if (text === "") return "";
  const number = readExactNumber(text, NUMBER_WORDS, WITH_COMMA);
  if (!isNumber(number) && number.isAmbiguous === true) {
    throw new LineProblem(column, "may mean thousands or decimals: write 1000 for a thousand, 1.0 for one");
  }
  if (!isNumber(number)) throw new LineProblem(column, "must be an amount in whole tokens, such as 5000.5");
  const { numerator, denominator } = timesPowerOfTen(number, decimals);
  if (denominator !== 1n)
    throw new LineProblem(column, `the payment token has ${decimals} decimals: use at most that many`);
  if (numerator >= AMOUNT_BOUND) throw new LineProblem(column, "is more than a contract can count");
  return numerator.toString();
}
