import type { HandlerContext } from "@connectrpc/connect";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import { requireActor, requireRole } from "../memberships/require-role.ts";
import type { Role } from "../memberships/role.ts";
import type { Client } from "./client.ts";
import { clientNotFound } from "./client-not-found.ts";
import { readClient } from "./clients-store.ts";
import type { ClientDependencies } from "./dependencies.ts";

/** A client, and who acts on it. */
export interface RequestedClient {
  readonly client: Client;
  /** Undefined for an operator. */
  readonly actor: Actor | undefined;
}

/**
 * The client of a request, for somebody who has a role in its sale.
 *
 * @throws ServiceError `not_found` also for a person who is no member of its sale; `permission_denied`, `unauthenticated`
 */
export async function requestedClient(
  { database }: Pick<ClientDependencies, "database">,
  request: { readonly clientUuid: string },
  context: Pick<HandlerContext, "values">,
  needed: Role,
): Promise<RequestedClient> {
  const actor = requireActor(context);
  const clientUuid = request.clientUuid.toLowerCase();
  return database.read(async (query) => {
    const client = await readClient(query, clientUuid);
    if (client === undefined) throw clientNotFound(clientUuid);
    await requireRole(query, actor, client.saleUuid, needed, clientNotFound(clientUuid));
    return { client, actor };
  });
}
