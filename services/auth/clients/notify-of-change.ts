import type { Actor } from "../../shared/rpc/identity/actor.ts";
import type { Member } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/notify-owners.ts";
import type { Client } from "./client.ts";
import type { ClientDependencies } from "./dependencies.ts";
import type { SensitiveChange } from "./sensitive-change.ts";

/** Mails the owners of a sale about the sensitive parts of a change of its client, as `notifyOwners` does. */
export function notifyOfChange(
  dependencies: ClientDependencies,
  members: readonly Member[],
  actor: Actor | undefined,
  { client, change }: { readonly client: Client; readonly change: SensitiveChange },
): void {
  const { saleName, definition } = client;
  const { name: clientName, redirectUris } = definition;
  if (change.redirectUris) {
    notifyOwners(dependencies, members, actor, {
      event: "redirect_uris_changed",
      saleName,
      clientName,
      redirectUris,
    });
  }
  if (change.requiresEmail)
    notifyOwners(dependencies, members, actor, { event: "email_required", saleName, clientName });
}
