import { create } from "@bufbuild/protobuf";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { boundedChanges, type SettingChange } from "../../../common/sale/words/setting-change.ts";
import {
  SaleEventKind,
  type SaleEvent as SaleEventMessage,
  SaleEventSchema,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { roleMessage } from "../memberships/member-message.ts";
import type { Role } from "../memberships/role.ts";
import type { SaleEventName, SaleEventRecord } from "./sale-events-store.ts";

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
export function saleEventMessage(record: SaleEventRecord, emails: ReadonlyMap<string, string>): SaleEventMessage {
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
