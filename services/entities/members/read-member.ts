import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { isWallet, readWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { GroupMember } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { amountViolations } from "../rules/amount-rules.ts";
import type { ParticipationGroup } from "../rules/participation-rules.ts";
import type { NewMember } from "./member.ts";
import { emailKey, type MemberKey } from "./member.ts";

/** Why a row can't be stored. */
export interface RowProblem {
  /** The column. */
  readonly field: string;
  /** The problem as a text for people, which repeats nothing of the row. */
  readonly message: string;
}

/** The facts about a sale that its members depend on. */
export interface MemberContext {
  /** The kind of wallets; undefined for a sale without a contract. */
  readonly kind: ChainFamily | undefined;
  readonly groups: readonly Pick<ParticipationGroup, "uuid">[];
}

/** Reads a member. Protovalidate has checked the form of its fields. */
export function readMember(message: GroupMember, { kind, groups }: MemberContext): NewMember | RowProblem {
  const groupUuid = message.groupUuid.toLowerCase();
  if (!groups.some(({ uuid }) => uuid === groupUuid)) {
    return { field: "group", message: "the sale has no such group" };
  }
  const key = readKey(message.key, kind);
  if ("message" in key) return key;
  const bounds = {
    ...(message.minAmount !== "" && { minAmount: BigInt(message.minAmount) }),
    ...(message.maxAmount !== "" && { maxAmount: BigInt(message.maxAmount) }),
  };
  const [wrong] = amountViolations(bounds, kind);
  return wrong === undefined ? { groupUuid, key, ...bounds } : { field: wrong.field, message: wrong.message };
}

export function isMember(read: NewMember | RowProblem): read is NewMember {
  return "key" in read;
}

function readKey(key: GroupMember["key"], kind: MemberContext["kind"]): MemberKey | RowProblem {
  switch (key.case) {
    case "email":
      return readEmail(key.value);
    case "wallet":
      return readWalletKey(key.value, kind);
    case "saleSpecificEntityId":
      return { kind: "entity", value: key.value };
    default:
      return { field: "email", message: "give an e-mail address, a wallet or an entity ID" };
  }
}

function readEmail(text: string): MemberKey | RowProblem {
  try {
    return emailKey(parseEmailAddress(text));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { field: "email", message: error.violations[0]?.message ?? error.message };
  }
}

function readWalletKey(text: string, kind: MemberContext["kind"]): MemberKey | RowProblem {
  if (kind === undefined) return { field: "wallet", message: "the sale has no contract, and so no wallets" };
  const wallet = readWallet(kind, text);
  if (isWallet(wallet)) return { kind: "wallet", value: wallet.bytes };
  return { field: "wallet", message: wallet.message };
}
