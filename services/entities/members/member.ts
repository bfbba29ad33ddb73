import type { MemberKey } from "./member-key.ts";

/** A member that isn't stored yet: who has an e-mail address, uses a wallet or is an entity. */
export interface NewMember {
  /** Lower case. */
  readonly groupUuid: string;
  readonly key: MemberKey;
  /** Bounds of this member alone; absent: those of the group. */
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
}

export interface Member extends NewMember {
  readonly uuid: string;
}

/** Whether two members have the same bounds. */
export function hasSameBounds(
  one: Pick<NewMember, "minAmount" | "maxAmount">,
  other: Pick<NewMember, "minAmount" | "maxAmount">,
): boolean {
  return one.minAmount === other.minAmount && one.maxAmount === other.maxAmount;
}
