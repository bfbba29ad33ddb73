import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { AuthContext } from "../base/context.ts";
import { notify } from "../mail/notify.ts";
import type { Member } from "./members-store.ts";
import { type OwnerNotice, ownerNotice } from "./owner-notice.ts";

type WithoutActor<Notice> = Notice extends OwnerNotice ? Omit<Notice, "by"> : never;

/**
 * Mails the owners of a sale about a change. Call it after the change was committed. It returns at once, and a mail that
 * can't be sent is only logged.
 *
 * @param members the members before and after the change, so that an owner who was removed gets the mail too
 * @param actor the author of the change; undefined for an operator
 */
export function notifyOwners(
  context: AuthContext,
  members: readonly Member[],
  actor: Pick<Actor, "accountUuid"> | undefined,
  notice: WithoutActor<OwnerNotice>,
): void {
  const by = emailOf(members, actor);
  const owners = new Set(members.filter(({ role }) => role === "owner").map(({ email }) => email));
  void notify(context, [...owners], ownerNotice({ ...notice, by }));
}

/** Returns the address of the author of a change; undefined for an operator. */
export function emailOf(members: readonly Member[], actor: Pick<Actor, "accountUuid"> | undefined): string | undefined {
  return members.find(({ accountUuid }) => accountUuid === actor?.accountUuid)?.email;
}
