import type { Actor } from "../../shared/rpc/identity/actor.ts";
import { notify } from "../mail/notify.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import type { Member } from "./members-store.ts";
import { type OwnerNotice, ownerNotice } from "./owner-notice.ts";

type WithoutActor<Notice> = Notice extends OwnerNotice ? Omit<Notice, "by"> : never;

/**
 * Mails the owners of a sale, after what they are told of was committed. The call doesn't wait for it, nor fail where a
 * mail can't be sent.
 *
 * @param members of the sale, those of before a change among them: somebody who was made to leave is told too
 * @param actor who did it; undefined for an operator
 */
export function notifyOwners(
  dependencies: Pick<MembershipDependencies, "mailer" | "logger">,
  members: readonly Member[],
  actor: Pick<Actor, "accountUuid"> | undefined,
  notice: WithoutActor<OwnerNotice>,
): void {
  const by = members.find(({ accountUuid }) => accountUuid === actor?.accountUuid)?.email;
  const owners = new Set(members.filter(({ role }) => role === "owner").map(({ email }) => email));
  void notify(dependencies, [...owners], ownerNotice({ ...notice, by }));
}
