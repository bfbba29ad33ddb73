import type { GroupMember } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { timesPowerOfTen } from "../words/exact-number.ts";
import { exactText } from "../words/exact-text.ts";
import { withClearDecimals } from "../words/sale-units.ts";
import { csvRecord } from "./csv-record.ts";
import { protectedField } from "./spreadsheet-field.ts";

/**
 * The columns of a file of members: a group's name or UUID; one of e-mail address, wallet and ID in the sale's contract; the
 * member's own bounds in whole payment tokens, such as `5000.5`.
 */
export const MEMBER_COLUMNS = ["group", "email", "wallet", "entity", "min_amount", "max_amount"] as const;

/** The facts about a sale that the columns depend on. */
export interface MemberFileContext {
  readonly groups: readonly { readonly uuid: string; readonly name: string }[];
  /** Decimals of the payment tokens. */
  readonly decimals: number;
}

export const MEMBER_CSV_HEADER = csvRecord(MEMBER_COLUMNS);

/** Returns members as lines of a file, which `readMembers` reads back. */
export function memberCsv(members: readonly GroupMember[], context: MemberFileContext): string {
  return members.map((member) => csvRecord(fieldsOf(member, context).map(protectedField))).join("");
}

function fieldsOf({ groupUuid, key, minAmount, maxAmount }: GroupMember, context: MemberFileContext): string[] {
  const amount = (text: string) => (text === "" ? "" : amountField(BigInt(text), context.decimals));
  return [
    groupText(groupUuid, context),
    key.case === "email" ? key.value : "",
    key.case === "wallet" ? key.value : "",
    key.case === "saleSpecificEntityId" ? `0x${hexOfBytes(key.value)}` : "",
    amount(minAmount),
    amount(maxAmount),
  ];
}

/** Returns an amount in whole tokens, as `readMembers` reads it back. */
function amountField(amount: bigint, decimals: number): string {
  return withClearDecimals(exactText(timesPowerOfTen({ numerator: amount, denominator: 1n }, -decimals)));
}

/** Returns a group's name where it is the only group of that name, else its UUID. */
function groupText(uuid: string, { groups }: MemberFileContext): string {
  const name = groups.find((group) => group.uuid === uuid)?.name.trim() ?? "";
  const isClear = name !== "" && groups.filter((group) => group.name.trim() === name).length === 1;
  return isClear ? name : uuid;
}
