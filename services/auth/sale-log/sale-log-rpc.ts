import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import { boundedChanges, type SettingChange } from "../../../common/sale/words/setting-change.ts";
import {
  type MembershipService,
  type RecordSaleChangeRequest,
  SaleChange,
  SaleEventKind,
  type SaleEvent as SaleEventMessage,
  SaleEventSchema,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { roleMessage } from "../memberships/member-message.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import type { Role } from "../memberships/membership.ts";
import { namedActor } from "../memberships/named-actor.ts";
import { notifyOwners, type OwnerNotice } from "../memberships/owner-notice.ts";
import { saleNameOf } from "../memberships/read-sale.ts";
import { requireActor, requireRecentRole, requireRole } from "../memberships/require-role.ts";
import { readSaleEvents, type SaleEventName, type SaleEventRecord } from "./sale-events-store.ts";

/** The methods of `MembershipService` for the activity log of a sale. */
export function saleLogMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof MembershipService>, "listSaleEvents" | "recordSaleChange"> {
  return { listSaleEvents: listSaleEvents(context), recordSaleChange: recordSaleChange(context) };
}

const EVENT_ID_HEX_DIGITS = 32;

function listSaleEvents({ database }: AuthContext): ServiceImpl<typeof MembershipService>["listSaleEvents"] {
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const before = pageStart(request.pageToken, EVENT_ID_HEX_DIGITS);
    const { page, members } = await database.read(async (query) => {
      await requireRole(query, actor, saleUuid, "viewer");
      const page = await readPage(
        request.pageSize,
        (limit) => readSaleEvents(query, saleUuid, { before, limit }),
        ({ eventId }) => tokenOf(eventId),
      );
      return { page, members: await readMembers(query, saleUuid) };
    });
    const emails = new Map(members.map(({ accountUuid, email }) => [accountUuid, email]));
    return {
      events: page.items.map((event) => saleEventMessage(event, emails)),
      nextPageToken: page.nextPageToken,
    };
  };
}

const KINDS: Readonly<Record<Exclude<SaleEventName, "member.changed">, SaleEventKind>> = {
  "sale.registered": SaleEventKind.SALE_CREATED,
  "sale.changed": SaleEventKind.SALE_CHANGED,
  "sale.opening_admitted": SaleEventKind.SALE_OPENED,
  "sale.settled": SaleEventKind.SALE_SETTLED,
  "sale.withdrawn": SaleEventKind.SALE_WITHDRAWN,
  "sale.deleted": SaleEventKind.SALE_DELETED,
  "participation.changed": SaleEventKind.PARTICIPATION_CHANGED,
  "participants.changed": SaleEventKind.PARTICIPANTS_CHANGED,
  "permit_key.changed": SaleEventKind.PERMIT_KEY_CHANGED,
  "entity_freeze.changed": SaleEventKind.ENTITY_FREEZE_CHANGED,
  "webhooks.changed": SaleEventKind.WEBHOOKS_CHANGED,
  "commitments.imported": SaleEventKind.COMMITMENTS_IMPORTED,
  "sale.passkey_rule_changed": SaleEventKind.PASSKEY_RULE_CHANGED,
  "client.created": SaleEventKind.CLIENT_CREATED,
  "client.changed": SaleEventKind.CLIENT_CHANGED,
  "client.logo_set": SaleEventKind.CLIENT_LOGO_SET,
  "client.disabled": SaleEventKind.CLIENT_DISABLED,
  "client.enabled": SaleEventKind.CLIENT_ENABLED,
};
const ROLES: ReadonlySet<unknown> = new Set(["viewer", "editor", "owner"] satisfies Role[]);
const OPERATOR = "operator";

/** @param emails the present addresses of the sale's members, by account UUID */
function saleEventMessage(record: SaleEventRecord, emails: ReadonlyMap<string, string>): SaleEventMessage {
  const { eventId, atMs, event, accountUuid, clientUuid = "", clientName = "", details } = record;
  const personOf = (uuid: unknown) =>
    typeof uuid === "string" ? { accountUuid: uuid, email: emails.get(uuid) ?? "" } : undefined;
  // `by` names the author where the account of the event is another person: the member who was changed.
  const by = details["by"] ?? accountUuid ?? OPERATOR;
  const isMember = event === "member.changed";
  const role = ROLES.has(details["role"]) ? (details["role"] as Role) : undefined;
  return create(SaleEventSchema, {
    eventId: messageBytes(eventId),
    at: timestampOf(atMs),
    kind: isMember ? memberKind(role) : KINDS[event],
    ...(by !== OPERATOR && { by: personOf(by) }),
    ...(isMember && { member: personOf(accountUuid) }),
    role: roleMessage(role),
    clientUuid,
    clientName,
    redirectUrisChanged: details["redirect_uris"] === true,
    checkOverridden: details["check_overridden"] === true,
    logoShape: event === "client.logo_set" ? String(details["shape"]) : "",
    changes: boundedChanges((details["changes"] as SettingChange[] | undefined) ?? []),
  });
}

function memberKind(role: Role | undefined): SaleEventKind {
  return role === undefined ? SaleEventKind.MEMBER_REMOVED : SaleEventKind.MEMBER_SET;
}

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

function recordSaleChange(context: AuthContext): ServiceImpl<typeof MembershipService>["recordSaleChange"] {
  return async (request, call) => {
    const { event, notice } = RECORDINGS.get(request.change) ?? DEFINITION;
    const members = await record(context, request, event, notice !== undefined);
    if (notice === undefined) return {};
    const { changes } = request;
    const saleUuid = request.saleUuid.toLowerCase();
    const saleName = (await saleNameOf(context, saleUuid, call)) || saleUuid;
    const sale = { saleUuid, saleName };
    const about = notice === "sale_settled" ? { event: notice, ...sale } : { event: notice, ...sale, changes };
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
