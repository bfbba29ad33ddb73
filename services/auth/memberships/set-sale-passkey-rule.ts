import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import type { AuthSchema } from "../base/schema.ts";
import { passkeyRefusal } from "./check-role.ts";
import { readMembers } from "./members-store.ts";
import { notifyOwners } from "./owner-notice.ts";
import { requiresPasskeys, storePasskeyRule } from "./passkey-rule-store.ts";
import { saleNameOf } from "./read-sale.ts";
import { requireActor, requireRecentRole } from "./require-role.ts";
import { lockSale } from "./sale-access-store.ts";

/** The name of the setting in the activity log. */
const SETTING = "Passkeys of owners and editors";

export function setSalePasskeyRule(context: AuthContext): ServiceImpl<typeof MembershipService>["setSalePasskeyRule"] {
  const { database, clock } = context;
  return async (request, call) => {
    const actor = requireActor(call);
    const [saleUuid, { required }] = [request.saleUuid.toLowerCase(), request];
    const changed = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, saleUuid);
      await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      if (actor !== undefined) await requireHolder(transaction, actor);
      if ((await requiresPasskeys(transaction, saleUuid)) === required) return undefined;
      await storePasskeyRule(transaction, saleUuid, required);
      const changes = [{ field: SETTING, before: ruleText(!required), after: ruleText(required) }];
      const event = { event: "sale.passkey_rule_changed", saleUuid, changes } as const;
      await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
      return { members: await readMembers(transaction, saleUuid) };
    });
    if (changed === undefined) return {};
    const saleName = (await saleNameOf(context, saleUuid, call)) || saleUuid;
    notifyOwners(context, changed.members, actor, { event: "passkey_rule_changed", saleUuid, saleName, required });
    return {};
  };
}

/**
 * Checks that an owner has signed in with a passkey that they still have: the owner who makes the rule must be able to end it.
 *
 * @throws ServiceError `failed_precondition`
 */
async function requireHolder(transaction: Transaction<AuthSchema>, actor: Actor): Promise<void> {
  const isHolder = actor.authenticatedBy === "passkey" && (await countPasskeys(transaction, actor.accountUuid)) > 0;
  if (!isHolder) throw passkeyRefusal("sign in with a passkey to change whether the sale requires them");
}

function ruleText(required: boolean): string {
  return required ? "required" : "not required";
}
