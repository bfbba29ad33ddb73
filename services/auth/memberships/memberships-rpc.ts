import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import {
  type MembershipService,
  Role as RoleMessage,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { admitRemoval } from "./admit-removal.ts";
import { removeMember, setMember } from "./change-members.ts";
import { isPasskeyMissing } from "./check-role.ts";
import { inviteFounder } from "./invite-founder.ts";
import { judgeAttempt } from "./judge-attempt.ts";
import { memberMessage, roleMessage, roleOfMessage } from "./member-message.ts";
import { readMembers, readMemberships, readRoles, roleOf } from "./members-store.ts";
import { compareMembers } from "./membership.ts";
import { methodOfMessage } from "./named-actor.ts";
import { readPasskeyHolders, requiresPasskeys } from "./passkey-rule-store.ts";
import { checkRegistration, registerSale } from "./register-sale.ts";
import { requireActor, requirePerson, requireRole } from "./require-role.ts";
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
      const limit = pageSize(request.pageSize);
      const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
      const page = await database.read((query) => readMemberships(query, accountUuid, { after, limit }));
      return {
        memberships: page.map(({ saleUuid, ...membership }) => ({
          saleUuid,
          role: roleMessage(membership.role),
          passkeyMissing: isPasskeyMissing(membership, authenticatedBy),
        })),
        nextPageToken: nextPageToken(page, limit, ({ saleUuid }) => saleUuid),
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
