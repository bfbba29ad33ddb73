import type { HandlerContext } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthSchema } from "../base/schema.ts";
import { notify } from "../mail/notify.ts";
import { isPasskeyMissing } from "./check-role.ts";
import { invitationMail } from "./invitation-mail.ts";
import type { Member } from "./members-store.ts";
import { readMembers } from "./members-store.ts";
import { emailOf, notifyOwners } from "./notify-owners.ts";
import { requiresPasskeys } from "./passkey-rule-store.ts";
import { requireSale, saleNameOf } from "./read-sale.ts";
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
  const notice = { event: "member_changed", saleName: saleName || saleUuid, memberEmail: email, role } as const;
  notifyOwners(context, members, actor, notice);
  if (role === undefined || before.some((member) => member.email === email)) return;
  const by = emailOf(members, actor);
  const needsPasskey = isPasskeyMissing({ role, passkeysRequired }, undefined);
  void notify(context, [email], invitationMail({ saleUuid, saleName, role, email, by, needsPasskey, issuer }));
}
