import type { ServiceImpl } from "@connectrpc/connect";
import {
  type MembershipService,
  type RecordSaleChangeRequest,
  SaleChange,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { namedActor } from "../memberships/named-actor.ts";
import { notifyOwners } from "../memberships/notify-owners.ts";
import type { OwnerNotice } from "../memberships/owner-notice.ts";
import { saleNameOf } from "../memberships/read-sale.ts";
import { requireRecentRole } from "../memberships/require-role.ts";
import type { SaleEventName } from "./sale-events-store.ts";

/** The notices that list changed settings of a sale itself. */
type ChangeNotice = Exclude<
  Extract<OwnerNotice, { readonly changes: unknown }>,
  { readonly clientName: unknown }
>["event"];

/** How a change is recorded. */
interface Recording {
  readonly event: SaleEventName;
  /** The mail to the owners about it; absent for a change that needs no owner with a recent sign-in. */
  readonly notice?: ChangeNotice | "sale_settled";
}

const DEFINITION: Recording = { event: "sale.changed" };
const RECORDINGS: ReadonlyMap<SaleChange, Recording> = new Map<SaleChange, Recording>([
  [SaleChange.DEFINITION, DEFINITION],
  [SaleChange.SETTLEMENT, { event: "sale.settled", notice: "sale_settled" }],
  [SaleChange.PARTICIPATION, { event: "participation.changed", notice: "participation_changed" }],
  [SaleChange.PARTICIPANTS, { event: "participants.changed" }],
  [SaleChange.PERMIT_KEY, { event: "permit_key.changed", notice: "permit_key_changed" }],
  [SaleChange.ENTITY_FREEZE, { event: "entity_freeze.changed", notice: "entity_freeze_changed" }],
  [SaleChange.WEBHOOKS, { event: "webhooks.changed" }],
  [SaleChange.COMMITMENTS, { event: "commitments.imported", notice: "commitments_imported" }],
]);

export function recordSaleChange(context: AuthContext): ServiceImpl<typeof MembershipService>["recordSaleChange"] {
  return async (request, call) => {
    const { event, notice } = RECORDINGS.get(request.change) ?? DEFINITION;
    const members = await record(context, request, event, notice !== undefined);
    if (notice === undefined) return {};
    const { changes } = request;
    const saleUuid = request.saleUuid.toLowerCase();
    const saleName = (await saleNameOf(context, saleUuid, call)) || saleUuid;
    const about = notice === "sale_settled" ? { event: notice, saleName } : { event: notice, saleName, changes };
    notifyOwners(context, members, namedActor(request), about);
    return {};
  };
}

/** @returns the sale's members, for a dangerous change, which needs an owner with a recent sign-in */
async function record(
  { database, clock }: AuthContext,
  request: RecordSaleChangeRequest,
  event: SaleEventName,
  isDangerous: boolean,
): Promise<readonly Member[]> {
  const actor = namedActor(request);
  const saleUuid = request.saleUuid.toLowerCase();
  const { changes, checkOverridden } = request;
  return database.write(async (transaction) => {
    if (isDangerous) await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
    const details = { check_overridden: checkOverridden };
    const recorded = { event, saleUuid, accountUuid: actor?.accountUuid, details, changes };
    await recordEvent(transaction, recorded, clock());
    return isDangerous ? readMembers(transaction, saleUuid) : [];
  });
}
