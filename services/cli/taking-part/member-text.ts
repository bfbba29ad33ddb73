import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { GroupMember } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import { amountText } from "../output/amount-text.ts";
import type { Paint } from "../output/paint.ts";
import { plainText } from "../output/plain-text.ts";

/** The facts about a sale that a table of its members needs. */
export interface MemberTableContext {
  readonly groups: readonly { readonly uuid: string; readonly name: string }[];
  /** Decimals of the payment tokens. */
  readonly decimals: number;
}

/** A table of members, with their own bounds in whole payment tokens. */
export function memberTable(members: readonly GroupMember[], context: MemberTableContext, paint: Paint): string {
  const amount = (text: string) => (text === "" ? "-" : amountText(BigInt(text), context.decimals));
  const rows = members.map(({ groupUuid, key, minAmount, maxAmount }) => [
    plainText(context.groups.find(({ uuid }) => uuid === groupUuid)?.name ?? groupUuid),
    keyText(key),
    amount(minAmount),
    amount(maxAmount),
  ]);
  const header = ["GROUP", "MEMBER", "AT LEAST", "AT MOST"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

function keyText(key: GroupMember["key"]): string {
  if (key.case === "saleSpecificEntityId") return `0x${hexOfBytes(key.value)}`;
  return plainText(key.value ?? "");
}
