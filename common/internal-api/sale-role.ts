import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { AuthenticationMethod } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { type MembershipService, Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import { passingRefusals } from "../platform/rpc/client/upstream-refusal.ts";
import type { Principal } from "../platform/rpc/identity/principal.ts";
import type { RoleName } from "../sale/words/role-words.ts";

/** The roles of people in a sale; each includes those before. */
export type SaleRole = RoleName;

/** A higher role permits more. */
const ORDER: readonly SaleRole[] = ["viewer", "editor", "owner"];
const ROLES: Readonly<Record<SaleRole, Role>> = { viewer: Role.VIEWER, editor: Role.EDITOR, owner: Role.OWNER };
const RANKS: readonly Role[] = ORDER.map((role) => ROLES[role]);

/**
 * Checks that a principal has at least a role in a sale; auth knows the roles. An operator counts as an owner.
 *
 * @returns the role
 * @throws ServiceError `not_found` for a person who isn't a member, `permission_denied` for one of a lower role, and what
 *   auth refuses: `failed_precondition` in a sale that requires a passkey which the person didn't sign in with
 */
export async function requireSaleRole(
  memberships: Pick<Client<typeof MembershipService>, "getRole">,
  principal: Principal,
  saleUuid: string,
  role: SaleRole,
): Promise<SaleRole> {
  if (principal.kind === "operator") return "owner";
  const { accountUuid, authenticatedBy } = signedInPerson(principal);
  const request = { saleUuid, accountUuid, neededRole: ROLES[role], authenticatedBy };
  const answer = await passingRefusals(memberships.getRole(request));
  const rank = RANKS.indexOf(answer.role);
  requireRank(rank, saleUuid, role);
  return ORDER[rank] ?? role;
}

/**
 * Returns those of some sales of which a principal is a member, in any role; for an operator all of them. Sales that require a
 * passkey which the person didn't sign in with are left out.
 *
 * @throws ServiceError what auth refuses
 */
export async function memberSales(
  memberships: Pick<Client<typeof MembershipService>, "getRoles">,
  principal: Principal,
  saleUuids: readonly string[],
): Promise<readonly string[]> {
  if (principal.kind === "operator") return saleUuids;
  const request = { ...signedInPerson(principal), saleUuids: [...saleUuids] };
  const answer = await passingRefusals(memberships.getRoles(request));
  const members = new Set(answer.memberships.map(({ saleUuid }) => saleUuid));
  return saleUuids.filter((saleUuid) => members.has(saleUuid));
}

/** The person of a call, with time and way of the sign-in, as auth's requests name them; nothing for an operator. */
export function personOf(principal: Principal) {
  if (principal.kind === "operator") return {};
  const authenticatedAt = timestampFromMs(Number(principal.authenticatedAtMs));
  return { ...signedInPerson(principal), authenticatedAt };
}

function signedInPerson({ accountUuid, authenticatedBy }: Extract<Principal, { kind: "person" }>) {
  const method = authenticatedBy === "passkey" ? AuthenticationMethod.PASSKEY : AuthenticationMethod.CODE;
  return { accountUuid, authenticatedBy: method };
}

function requireRank(rank: number, saleUuid: string, role: SaleRole): void {
  // Strangers must not learn whether the sale exists.
  if (rank < 0) throw new ServiceError("not_found", `there is no sale ${saleUuid}`);
  if (rank < RANKS.indexOf(ROLES[role]))
    throw new ServiceError("permission_denied", `this requires the role ${role} in the sale`);
}
