import type { ServiceImpl } from "@connectrpc/connect";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import {
  type MembershipService,
  Removal,
  Role as RoleMessage,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { findOrCreateAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { removeMember, setMember } from "./change-members.ts";
import { isPasskeyMissing } from "./check-role.ts";
import { storeFounder } from "./founders-store.ts";
import { memberMessage, roleMessage, roleOfMessage } from "./member-message.ts";
import { readMembers, readMemberships, readRoles, roleOf } from "./members-store.ts";
import { compareMembers } from "./membership.ts";
import { methodOfMessage, namedActor } from "./named-actor.ts";
import { notifyOwners } from "./owner-notice.ts";
import { readPasskeyHolders, requiresPasskeys } from "./passkey-rule-store.ts";
import { judgeAttempt } from "./record-refusals.ts";
import { checkRegistration, registerSale } from "./register-sale.ts";
import { requireActor, requirePerson, requireRecentRole, requireRole } from "./require-role.ts";
import { ensureSaleAccess, lockSale, storeAdmittedRemoval } from "./sale-access-store.ts";
import { setSalePasskeyRule } from "./set-sale-passkey-rule.ts";

const UUID_HEX_DIGITS = 32;

/** The methods of `MembershipService` but those that depend on the applications of a sale, and those of its activity log. */
export function membershipMethods(
  context: AuthContext,
): Omit<
  ServiceImpl<typeof MembershipService>,
  "admitOpening" | "completeRemoval" | "listSaleEvents" | "recordSaleChange"
> {
  const { database } = context;
  return {
    setMember: setMember(context),
    setSalePasskeyRule: setSalePasskeyRule(context),
    removeMember: removeMember(context),
    inviteFounder: inviteFounder(context),
    registerSale: registerSale(context),
    checkRegistration: checkRegistration(context),
    admitRemoval: admitRemoval(context),

    async listMembers(request, call) {
      const actor = requireActor(call);
      const saleUuid = request.saleUuid.toLowerCase();
      return database.read(async (query) => {
        await requireRole(query, actor, saleUuid, "viewer");
        const members = (await readMembers(query, saleUuid)).toSorted(compareMembers);
        const seesPasskeys = members.some(
          ({ accountUuid, role }) => accountUuid === actor?.accountUuid && role === "owner",
        );
        const holders = actor === undefined || seesPasskeys ? await readPasskeyHolders(query, saleUuid) : new Set();
        return {
          members: members.map((member) => memberMessage({ ...member, hasPasskey: holders.has(member.accountUuid) })),
          passkeysRequired: await requiresPasskeys(query, saleUuid),
        };
      });
    },

    async listMemberships(request, call) {
      const { accountUuid, authenticatedBy } = requirePerson(call);
      const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
      const { items, nextPageToken } = await readPage(
        request.pageSize,
        (limit) => database.read((query) => readMemberships(query, accountUuid, { after, limit })),
        ({ saleUuid }) => tokenOf(saleUuid),
      );
      return {
        memberships: items.map(({ saleUuid, ...membership }) => ({
          saleUuid,
          role: roleMessage(membership.role),
          passkeyMissing: isPasskeyMissing(membership, authenticatedBy),
        })),
        nextPageToken,
      };
    },

    async getRole(request) {
      const [saleUuid, accountUuid] = [request.saleUuid.toLowerCase(), request.accountUuid.toLowerCase()];
      const membership = await database.read((query) => roleOf(query, saleUuid, accountUuid));
      const attempt = { accountUuid, saleUuid, membership, method: methodOfMessage(request.authenticatedBy) };
      if (request.neededRole !== RoleMessage.UNSPECIFIED) {
        await judgeAttempt(context, attempt, roleOfMessage(request.neededRole));
      }
      return { role: roleMessage(membership?.role) };
    },

    async getRoles(request) {
      const saleUuids = request.saleUuids.map((saleUuid) => saleUuid.toLowerCase());
      const roles = await database.read((query) => readRoles(query, request.accountUuid.toLowerCase(), saleUuids));
      const method = methodOfMessage(request.authenticatedBy);
      const usable = roles.filter((membership) => !isPasskeyMissing(membership, method));
      return { memberships: usable.map(({ saleUuid, role }) => ({ saleUuid, role: roleMessage(role) })) };
    },

    async checkRole(request, call) {
      const actor = requirePerson(call);
      const needed = roleOfMessage(request.role);
      await database.read((query) => requireRole(query, actor, request.saleUuid.toLowerCase(), needed));
      return {};
    },
  };
}

const WITHDRAWAL = { audit: "sale.withdrawn", notice: "sale_withdrawn" } as const;
const DELETION = { audit: "sale.deleted", notice: "draft_deleted" } as const;

/** Admits a removal before it is made. `completeRemoval` finds out whether it was. */
function admitRemoval(context: AuthContext): ServiceImpl<typeof MembershipService>["admitRemoval"] {
  const { database, clock } = context;
  return async (request) => {
    const actor = namedActor(request);
    const saleUuid = request.saleUuid.toLowerCase();
    const { audit: event, notice } = request.removal === Removal.DELETION ? DELETION : WITHDRAWAL;
    await ensureSaleAccess(database, saleUuid);
    const members = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, saleUuid);
      await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      await storeAdmittedRemoval(transaction, saleUuid, clock());
      await recordEvent(transaction, { event, saleUuid, accountUuid: actor?.accountUuid }, clock());
      return readMembers(transaction, saleUuid);
    });
    notifyOwners(context, members, actor, { event: notice, saleUuid, saleName: request.saleName });
    return {};
  };
}

function inviteFounder({ database, clock }: AuthContext): ServiceImpl<typeof MembershipService>["inviteFounder"] {
  return async (request) => {
    const email = parseEmailAddress(request.email);
    const accountUuid = await database.write(async (transaction) => {
      const nowMs = clock();
      const { uuid } = await findOrCreateAccount(transaction, database.dialect, email, nowMs);
      await storeFounder(transaction, database.dialect, uuid, nowMs);
      await recordEvent(transaction, { event: "founder.invited", accountUuid: uuid }, nowMs);
      return uuid;
    });
    return { accountUuid };
  };
}
