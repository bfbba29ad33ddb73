import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { MemberRole } from "./membership.ts";

/** The state of a sale before its registration. */
export interface RegistrationState {
  /** Whether auth has a row for the sale, from an earlier registration or for another reason. */
  readonly isKnown: boolean;
  readonly members: readonly MemberRole[];
  /** The owner that the commitments service knows; empty for none, undefined for an unknown sale. */
  readonly existingOwner: string | undefined;
}

/**
 * Decides what the registration of a sale does. Repeating it changes nothing, so that the same owner can try again after a
 * creation that failed. Anyone else who uses the UUID of an existing sale is refused.
 *
 * @param owner empty for a sale that an operator creates without an owner
 * @returns whether `owner` must be added as the owner
 * @throws ServiceError `already_exists`
 */
export function decideRegistration(owner: string, { isKnown, members, existingOwner }: RegistrationState): boolean {
  if (existingOwner !== undefined && existingOwner !== owner) throw taken();
  const owns = members.some(({ accountUuid, role }) => accountUuid === owner && role === "owner");
  if (owns || (owner === "" && members.length === 0)) return false;
  // The sale was created without auth, and its owner registers it only now.
  const isLate = existingOwner !== undefined && members.length === 0;
  if (owner === "" || (isKnown && !isLate)) throw taken();
  return true;
}

function taken(): ServiceError {
  return new ServiceError("already_exists", "a sale with this UUID already exists");
}
