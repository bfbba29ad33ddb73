import type { HandlerContext } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import type { AuthSchema } from "../base/schema.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import type { Member } from "./members-store.ts";
import { readMembers } from "./members-store.ts";
import { notifyOwners } from "./notify-owners.ts";
import { observeSale, requireSale } from "./read-sale.ts";
import { ensureSaleAccess, isSaleKnown, lockSale } from "./sale-access-store.ts";

export interface MemberChange {
  readonly saleUuid: string;
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
  /**
   * Changes the members of the sale, which the transaction has locked.
   *
   * @returns the changed member, without a role if it was removed; undefined if nothing changed.
   */
  change(
    transaction: Transaction<AuthSchema>,
    members: readonly Member[],
  ): Promise<{ readonly email: string; readonly role?: Member["role"] } | undefined>;
}

/**
 * Changes the members of a sale in one transaction that has locked it; no other code changes them. The owners of before and
 * of after the change get a mail.
 *
 * @throws ServiceError `not_found`, and whatever `change` throws
 */
export async function changeMembers(
  dependencies: Pick<MembershipDependencies, "database" | "clock" | "sales" | "mailer" | "logger">,
  context: HandlerContext,
  { saleUuid, actor, change }: MemberChange,
): Promise<void> {
  const { database } = dependencies;
  // A sale that auth doesn't know, because it was created without auth, gets its first members from an operator.
  if (actor === undefined && !(await database.read((query) => isSaleKnown(query, saleUuid)))) {
    await requireSale(dependencies, saleUuid, context);
    await ensureSaleAccess(database, saleUuid);
  }
  const { changed, members } = await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    const before = await readMembers(transaction, saleUuid);
    const changed = await change(transaction, before);
    return { changed, members: [...before, ...(await readMembers(transaction, saleUuid))] };
  });
  if (changed === undefined) return;
  const { saleName = saleUuid } = await observeSale(dependencies, saleUuid, context).catch(() => ({
    saleName: saleUuid,
  }));
  const { email: memberEmail, role } = changed;
  notifyOwners(dependencies, members, actor, { event: "member_changed", saleName, memberEmail, role });
}
