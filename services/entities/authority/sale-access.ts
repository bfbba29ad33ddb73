import type { HandlerContext } from "@connectrpc/connect";
import { memberSales, personOf, requireSaleRole, type SaleRole } from "../../../common/internal-api/sale-role.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { boundedChanges, type SettingChange } from "../../../common/sale/words/setting-change.ts";
import { SaleChange } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Upstreams } from "../base/upstreams.ts";

type Dependencies = Pick<Upstreams, "memberships"> & { readonly clock: Clock };

/** A change of a sale that its activity log records. */
export type RecordedChange = "participation" | "participants" | "permit key" | "entity freeze";

const CHANGES: Readonly<Record<RecordedChange, SaleChange>> = {
  participation: SaleChange.PARTICIPATION,
  participants: SaleChange.PARTICIPANTS,
  "permit key": SaleChange.PERMIT_KEY,
  "entity freeze": SaleChange.ENTITY_FREEZE,
};

/**
 * Checks that the caller has at least a role in a sale. An operator needs none.
 *
 * @throws ServiceError `unauthenticated`, `not_found`, `permission_denied`
 */
export async function requireRole(
  { memberships }: Dependencies,
  context: Pick<HandlerContext, "values">,
  saleUuid: string,
  role: SaleRole,
): Promise<Principal> {
  const principal = principalOf(context);
  await requireSaleRole(memberships, principal, saleUuid, role);
  return principal;
}

/** `requireRole` for members of any role. @returns the role; an operator counts as an owner */
export async function requireMember(
  { memberships }: Pick<Dependencies, "memberships">,
  context: Pick<HandlerContext, "values">,
  saleUuid: string,
): Promise<SaleRole> {
  return requireSaleRole(memberships, principalOf(context), saleUuid, "viewer");
}

/** Returns those of some sales, each once, of which the caller is a member; for an operator all of them. */
export async function visibleSales(
  { memberships }: Pick<Dependencies, "memberships">,
  context: Pick<HandlerContext, "values">,
  saleUuids: readonly string[],
): Promise<readonly string[]> {
  const asked = [...new Set(saleUuids.map((saleUuid) => saleUuid.toLowerCase()))];
  return memberSales(memberships, principalOf(context), asked);
}

/** `requireRole` for owners who signed in during the last ten minutes. @throws also `failed_precondition` */
export async function requireRecentOwner(
  dependencies: Dependencies,
  context: Pick<HandlerContext, "values">,
  saleUuid: string,
): Promise<Principal> {
  const principal = await requireRole(dependencies, context, saleUuid, "owner");
  if (principal.kind === "person") checkRecentSignIn(principal, dependencies.clock());
  return principal;
}

/**
 * Records who is about to change something, in the sale's activity log.
 *
 * @param settings what changes, as people read it
 */
export async function recordChange(
  { memberships }: Pick<Dependencies, "memberships">,
  principal: Principal,
  saleUuid: string,
  change: RecordedChange,
  settings: readonly SettingChange[],
): Promise<void> {
  const recorded = { change: CHANGES[change], changes: boundedChanges(settings) };
  await passingRefusals(memberships.recordSaleChange({ saleUuid, ...personOf(principal), ...recorded }));
}
