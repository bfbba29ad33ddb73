import { create } from "@bufbuild/protobuf";
import { formatWallet, walletOfBytes } from "../../../common/chains/wallet.ts";
import { type GroupMember, GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { Member } from "./member.ts";

export function memberMessage({ uuid, groupUuid, key, minAmount, maxAmount }: Member): GroupMember {
  return create(GroupMemberSchema, {
    uuid,
    groupUuid,
    key: keyMessage(key),
    minAmount: minAmount?.toString() ?? "",
    maxAmount: maxAmount?.toString() ?? "",
  });
}

function keyMessage({ kind, value }: Member["key"]): GroupMember["key"] {
  if (kind === "email") return { case: "email", value: Buffer.from(value).toString() };
  if (kind === "wallet") return { case: "wallet", value: walletText(value) };
  return { case: "saleSpecificEntityId", value: Uint8Array.from(value) };
}

/** Writes the address of a wallet whose family its length tells. */
export function walletText(bytes: Uint8Array): string {
  return formatWallet(walletOfBytes(bytes));
}
