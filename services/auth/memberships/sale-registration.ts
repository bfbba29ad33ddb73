import { ServiceError } from "../../shared/errors/service-error.ts";
import type { MemberRole } from "./membership.ts";

/** What is there of a sale when it is registered. */
export interface RegistrationState {
  /** Whether it was registered, or is known for another reason. */
  readonly isKnown: boolean;
  readonly members: readonly MemberRole[];
  /** The owner that the commitments service knows, empty for none; undefined where it doesn't know the sale. */
  readonly existingOwner: string | undefined;
}

/**
 * What the registration of a sale does: nothing where it is repeated, so that a sale whose creation failed can be created
 * again by the same owner. Whoever else names its UUID must not become its owner.
 *
 * @param owner empty for a sale that an operator makes for nobody
 * @returns whether `owner` is to be made its owner
 * @throws ServiceError `already_exists`
 */
export function decideRegistration(owner: string, { isKnown, members, existingOwner }: RegistrationState): boolean {
  if (existingOwner !== undefined && existingOwner !== owner) throw taken();
  const owns = members.some(({ accountUuid, role }) => accountUuid === owner && role === "owner");
  if (owns || (owner === "" && members.length === 0)) return false;
  // The owner of a sale that was made without the auth service's knowledge.
  const isLate = existingOwner !== undefined && members.length === 0;
  if (owner === "" || (isKnown && !isLate)) throw taken();
  return true;
}

function taken(): ServiceError {
  return new ServiceError("already_exists", "there is a sale of this UUID already");
}
