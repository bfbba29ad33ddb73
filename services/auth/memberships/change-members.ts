import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import { ROLE_WORDS, roleNoun } from "../../../common/sale/words/role-words.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { findOrCreateAccount, lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import type { AuthSchema } from "../base/schema.ts";
import { mailContent } from "../mail/mail-content.ts";
import { notify } from "../mail/notify.ts";
import { quotedName } from "../mail/safe-text.ts";
import { isPasskeyMissing } from "./check-role.ts";
import { memberMessage, roleOfMessage } from "./member-message.ts";
import { deleteMember, type Member, readMembers, storeMember } from "./members-store.ts";
import type { Role } from "./membership.ts";
import { checkMembers, withMember, withoutMember } from "./membership.ts";
import { emailOf, notifyOwners } from "./owner-notice.ts";
import { requiresPasskeys } from "./passkey-rule-store.ts";
import { requireSale, saleNameOf } from "./read-sale.ts";
import { requireActor, requireRecentRole } from "./require-role.ts";
import { ensureSaleAccess, isSaleKnown, lockSale } from "./sale-access-store.ts";

export interface MemberChange {
  readonly saleUuid: string;
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
  /**
   * Changes the members of the sale, which the transaction has locked.
   *
   * @returns the changed member; undefined if nothing changed.
   */
  change(transaction: Transaction<AuthSchema>, members: readonly Member[]): Promise<ChangedMember | undefined>;
}

interface ChangedMember {
  readonly email: string;
  /** Absent for a member who was removed. */
  readonly role?: Member["role"];
}

/**
 * Changes the members of a sale in one transaction that has locked it; no other code changes them. The owners before and
 * after the change get a mail, and so does a person who wasn't a member before.
 *
 * @throws ServiceError `not_found`, and whatever `change` throws
 */
export async function changeMembers(
  context: AuthContext,
  call: HandlerContext,
  { saleUuid, actor, change }: MemberChange,
): Promise<void> {
  const { database, issuer } = context;
  // A sale that auth doesn't know, because it was created without auth, gets its first members from an operator.
  if (actor === undefined && !(await database.read((query) => isSaleKnown(query, saleUuid)))) {
    await requireSale(context, saleUuid, call);
    await ensureSaleAccess(database, saleUuid);
  }
  const { changed, before, after, passkeysRequired } = await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    const before = await readMembers(transaction, saleUuid);
    const changed = await change(transaction, before);
    const passkeysRequired = await requiresPasskeys(transaction, saleUuid);
    return { changed, before, after: await readMembers(transaction, saleUuid), passkeysRequired };
  });
  if (changed === undefined) return;
  const saleName = await saleNameOf(context, saleUuid, call);
  const { email, role } = changed;
  const members = [...before, ...after];
  const sale = { saleUuid, saleName: saleName || saleUuid };
  const notice = { event: "member_changed", ...sale, memberEmail: email, role } as const;
  notifyOwners(context, members, actor, notice);
  if (role === undefined || before.some((member) => member.email === email)) return;
  const by = emailOf(members, actor);
  const needsPasskey = isPasskeyMissing({ role, passkeysRequired }, undefined);
  void notify(context, [email], invitationMail({ saleUuid, saleName, role, email, by, needsPasskey, issuer }));
}

export function setMember(context: AuthContext): ServiceImpl<typeof MembershipService>["setMember"] {
  const { database, clock, rateLimits } = context;
  const { dialect } = database;
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const email = parseEmailAddress(request.email);
    const role = roleOfMessage(request.role);
    if (actor !== undefined) await rateLimits.take("invite_account", actor.accountUuid);
    let member: Member | undefined;
    await changeMembers(context, call, {
      saleUuid,
      actor,
      async change(transaction, members) {
        await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
        const { uuid: accountUuid } = await findOrCreateAccount(transaction, dialect, email, clock());
        if (!(await lockAccount(transaction, dialect, accountUuid))) throw accountGone();
        member = { accountUuid, email, role };
        if (members.some((one) => one.accountUuid === accountUuid && one.role === role)) return undefined;
        checkMembers(members, withMember(members, member));
        await storeMember(transaction, dialect, saleUuid, member);
        const event = { event: "member.changed", saleUuid, accountUuid, details: { role } } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        return member;
      },
    });
    return member === undefined ? {} : { member: memberMessage(member) };
  };
}

function accountGone(): ServiceError {
  return new ServiceError("aborted", "the account was deleted meanwhile; try again");
}

/** Removing a person who is no member is no error, so that the call can be repeated. */
export function removeMember(context: AuthContext): ServiceImpl<typeof MembershipService>["removeMember"] {
  const { clock } = context;
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const accountUuid = request.accountUuid.toLowerCase();
    await changeMembers(context, call, {
      saleUuid,
      actor,
      async change(transaction, members) {
        const role = actor?.accountUuid === accountUuid ? "viewer" : "owner";
        await requireRecentRole(transaction, actor, saleUuid, role, clock());
        const removed = members.find((member) => member.accountUuid === accountUuid);
        if (removed === undefined) return undefined;
        checkMembers(members, withoutMember(members, accountUuid));
        await deleteMember(transaction, saleUuid, accountUuid);
        const event = { event: "member.changed", saleUuid, accountUuid, details: { role: "none" } } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        return { email: removed.email };
      },
    });
    return {};
  };
}

/** A person's membership in a sale, made by somebody else. */
interface Invitation {
  readonly saleUuid: string;
  readonly saleName: string;
  readonly role: Role;
  /** The address that was invited, with which the person signs in. */
  readonly email: string;
  /** The e-mail address of the person who invites; absent for the operator. */
  readonly by?: string | undefined;
  /** Whether the sale requires a passkey of the person. */
  readonly needsPasskey?: boolean;
  /** `AUTH_URL`. */
  readonly issuer: string;
}

const PASSKEY_NEEDED =
  "The sale requires a passkey of you: add one at your account, then sign in with it. A passkey is kept by your phone, computer or security key.";

/** Writes the mail to somebody who was made a member of a sale. */
export function invitationMail({
  saleUuid,
  saleName,
  role,
  email,
  by,
  needsPasskey = false,
  issuer,
}: Invitation): MailContent {
  const inviter = by === undefined ? "The operator of this service" : `The owner with the e-mail address ${by}`;
  const named = saleName === "" ? "a sale" : `the sale that its owners call ${quotedName(saleName)}`;
  return mailContent("You were invited to a sale", [
    `${inviter} has invited you to ${named}. There you are ${roleNoun(role)}, who ${lowerFirst(ROLE_WORDS[role].detail)}.`,
    "This is the sale's page:",
    { link: `${issuer}/dashboard/sales/${saleUuid}` },
    `Sign in there as ${email}: you get a code by e-mail, and there is no password.`,
    ...(needsPasskey ? [PASSKEY_NEEDED] : []),
    "If you didn't expect this, ignore this mail: nothing happens unless you sign in.",
  ]);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
