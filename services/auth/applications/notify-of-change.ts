import type { Actor } from "../../../common/platform/rpc/identity/actor.ts";
import type { AuthContext } from "../base/context.ts";
import type { Member } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/owner-notice.ts";
import type { Client } from "./application.ts";
import { securityChanges } from "./definition/application-changes.ts";
import type { ClientDefinition } from "./definition/application-definition.ts";
import { DEFAULT_SECURITY } from "./definition/application-security.ts";
import { sensitiveChange } from "./definition/sensitive-change.ts";

/** A change of a client that is stored. */
export interface NotifiedChange {
  readonly client: Client;
  /** Absent for a new client. */
  readonly before?: ClientDefinition;
}

/** Mails the owners of a sale about the sensitive parts of a change of its client, as `notifyOwners` does. */
export function notifyOfChange(
  context: AuthContext,
  members: readonly Member[],
  actor: Actor | undefined,
  { client, before }: NotifiedChange,
): void {
  const { saleUuid, saleName, uuid: clientUuid, definition } = client;
  const change = sensitiveChange(before, definition);
  const { name: clientName, redirectUris } = definition;
  const of = { saleUuid, saleName, clientUuid, clientName };
  if (change.redirectUris) {
    notifyOwners(context, members, actor, { event: "redirect_uris_changed", ...of, redirectUris });
  }
  if (change.requiresEmail) notifyOwners(context, members, actor, { event: "email_required", ...of });
  if (change.weakerSecurity) {
    const changes = securityChanges(before?.security ?? DEFAULT_SECURITY, definition.security);
    notifyOwners(context, members, actor, { event: "client_security_changed", ...of, changes });
  }
}
